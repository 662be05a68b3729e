"""Entry point: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from engine.kernels import start_warming
from explorer import words
from explorer.frame import settle, style
from explorer.warming import warm_up

start_warming()
st.logo(Path(__file__).parent / "explorer" / "logo.svg", size="small")
style()
page = st.navigation(
    [
        st.Page("explorer/pages/tokenize.py", title="Tokenize", default=True),
        st.Page("explorer/pages/compare.py", title="Compare"),
        st.Page("explorer/pages/bytes_and_runes.py", title="Bytes and runes"),
        st.Page("explorer/pages/stream.py", title="Stream"),
        st.Page("explorer/pages/train.py", title="Train"),
        st.Page("explorer/pages/families.py", title="Families"),
        st.Page("explorer/pages/lattice.py", title="Lattice"),
        st.Page("explorer/pages/vocabulary.py", title="Vocabulary"),
        st.Page("explorer/pages/token.py", title="Token", visibility="hidden"),
        st.Page("explorer/pages/languages.py", title="Languages"),
        st.Page("explorer/pages/measures.py", title="Measures"),
    ],
    position="top",
)
st.set_page_config(page_title=f"{page.title} · Tokenglass", layout="wide", menu_items={"About": words.ABOUT})
page.run()
settle()
warm_up()
