"""What the presets say of themselves is so."""

from __future__ import annotations

from dataclasses import replace

import pytest

import engine
from explorer import recipes
from explorer.state import corpus_of
from explorer.views.recipe_form import Draft, recipe_of
from explorer.views.recipe_presets import PRESETS

TEXT = "Olá  mundo ▁ x\tﬁ 🧪 é\n low"


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_whether_a_text_comes_back(name: str) -> None:
    preset = PRESETS[name]
    fields = {field: value for field, value in preset.fields.items() if field != "stop"}
    draft = replace(Draft(), samples=("toy/cat_mat",), stop="size", number=600, **fields)
    recipe = recipe_of(draft, str)
    split = recipes.split_of(recipe.pre_tokenizer)
    training = engine.begin(corpus_of(recipe), recipe.training, recipe.normalizers, split)
    while not training.finished:
        training.advance(100)
    tokenizer = training.run().tokenizer
    assert preset.back.startswith("Lossless") == tokenizer.lossless
    assert (tokenizer.decode(tokenizer.encode(TEXT).ids) == TEXT) == tokenizer.lossless
