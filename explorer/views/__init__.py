"""What the widgets draw, as plain data: no streamlit, no HTML, no pandas."""
