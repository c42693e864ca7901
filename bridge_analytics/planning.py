"""How many boards it takes: power, sample size, and the chance that the better side wins a match."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray


def power(
    effect: ArrayLike, *, sd: ArrayLike, results: ArrayLike, design_effect: ArrayLike = 1.0, level: float = 0.95
) -> NDArray[np.float64]:
    """Probability that a study of so many results shows an effect of this size.

    Parameters
    ----------
    effect, sd : array_like of float, any shapes that broadcast
        The true mean, and the standard deviation of one result. [any unit, the same for both]
    results, design_effect : array_like of float
        The number of results; clustered over naive variance, as an earlier estimate has it.
    level : float
        One less the size of the two-sided test.

    Returns
    -------
    ndarray of float64, or a scalar
        Between 1 - level and 1.

    Raises
    ------
    ValueError
        If the level is not between 0 and 1, or sd, results or the design effect are not over 0.

    Notes
    -----
    The normal approximation on the effective number of results, results / design effect, with both tails. Source:
    Cohen, Statistical Power Analysis (1988), chapter 2; Kish, Survey Sampling (1965), for the design effect.

    Examples
    --------
    >>> float(power(0.5, sd=6.8, results=1452).round(3))
    0.8
    >>> float(power(0.5, sd=6.8, results=1452, design_effect=3.1).round(3))
    0.356
    """
    from scipy.special import ndtr, ndtri

    _check_over_0(sd=sd, results=results, design_effect=design_effect)
    shift = np.asarray(effect) / np.asarray(sd) * np.sqrt(np.asarray(results) / np.asarray(design_effect))
    critical = ndtri(upper_quantile(level))
    return np.asarray(ndtr(shift - critical) + ndtr(-shift - critical))[()]


def sample_size(
    effect: float, *, sd: float, power: float = 0.8, design_effect: float = 1.0, level: float = 0.95
) -> int:
    """Smallest number of results that shows an effect with the power asked for.

    Parameters
    ----------
    effect, sd, design_effect, level : float
        As in :func:`power`.
    power : float
        From 0.5 up, below 1.

    Returns
    -------
    int
        Results, not boards: with a design effect, results played on boards as before.

    Raises
    ------
    ValueError
        If the effect is 0, or sd, power, level or the design effect are out of their range.

    Notes
    -----
    ((z of the level + z of the power) sd / effect)² times the design effect, rounded up: :func:`power` turned round,
    without the tail on the wrong side, which is nothing at these powers.

    Examples
    --------
    >>> sample_size(0.5, sd=6.8), sample_size(0.5, sd=6.8, design_effect=3.1)
    (1452, 4501)
    """
    from scipy.special import ndtri

    if effect == 0 or not sd > 0 or not 0.5 <= power < 1:
        raise ValueError(f"expected an effect, an sd over 0, a power from 0.5 to 1, got {effect!r}, {sd!r}, {power!r}")
    _check_over_0(design_effect=design_effect)
    quantiles = float(ndtri(upper_quantile(level)) + ndtri(power))
    return math.ceil(design_effect * (quantiles * sd / effect) ** 2)


def win_probability(edge: ArrayLike, boards: ArrayLike, *, variance: ArrayLike) -> NDArray[np.float64]:
    """Probability of winning a team match from the edge on a board and how far one board swings.

    Parameters
    ----------
    edge : array_like of float, any shapes that broadcast
        The mean on one board; negative for the weaker side. [IMPs]
    boards : array_like of int
        The length of the match.
    variance : array_like of float
        The variance of one board. [IMPs²]

    Returns
    -------
    ndarray of float64, or a scalar
        A tie counts half, so both sides' add to 1.

    Notes
    -----
    Boards are independent and their sum is taken as normal. Source: the table of J. Goldsmith's study of team matches
    (variance 31.7).

    Examples
    --------
    >>> win_probability([0.25, 1.0, 2.0], 64, variance=31.695895).round(4)
    array([0.6388, 0.9223, 0.9978])
    """
    from scipy.special import ndtr

    return np.asarray(ndtr(np.asarray(edge) * np.sqrt(np.asarray(boards) / np.asarray(variance))))[()]


def upper_quantile(level: float) -> float:
    """Return the upper of the two quantiles that bound an interval: 0.975 for the level 0.95."""
    if not 0 < level < 1:
        raise ValueError(f"expected a confidence level between 0 and 1, got {level!r}")
    return (1 + level) / 2


def _check_over_0(**numbers: ArrayLike) -> None:
    for name, number in numbers.items():
        wrong = ~(np.asarray(number) > 0)
        if wrong.any():
            seen = np.asarray(number)[wrong].flat[0].item()
            raise ValueError(f"expected {name if name == 'results' else f'a {name}'} over 0, got {seen!r}")
