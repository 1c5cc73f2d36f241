namespace Larder.Lab.Near;

/// <summary>One process of a run.</summary>
/// <param name="Name">The name.</param>
/// <param name="Answer">The answer of its agent.</param>
/// <param name="Figures">The final statistics of its near cache.</param>
/// <param name="GoesOn">Whether copies were served after the last fault.</param>
internal sealed record NearRunRow(string Name, NearAnswer Answer, NearFigures Figures, bool GoesOn);
