namespace Larder.Lab.Near;

/// <summary>One process of a run.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Answer">What it answered.</param>
/// <param name="Figures">Its near cache's figures at the end.</param>
/// <param name="GoesOn">Whether copies were served after the last fault.</param>
internal sealed record NearRunRow(string Name, NearAnswer Answer, NearFigures Figures, bool GoesOn);
