"""Entry point: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from explorer import words
from explorer.frame import settle, style

st.set_page_config(page_title="Tokenglass", layout="wide", menu_items={"About": words.ABOUT})
st.logo(Path(__file__).parent / "explorer" / "logo.svg", size="large")
style()
page = st.navigation(
    [
        st.Page("explorer/pages/tokenize.py", title="Tokenize", default=True),
    ],
    position="top",
)
page.run()
settle()
