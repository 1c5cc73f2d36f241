namespace Larder.Lab.Near;

/// <summary>The result of one process of a run.</summary>
/// <param name="Name">The name.</param>
/// <param name="Answer">The response of the agent at the end.</param>
/// <param name="Figures">The final statistics of the process's near cache.</param>
/// <param name="GoesOn">Whether copies were served after the last fault.</param>
internal sealed record NearRunRow(string Name, NearAnswer Answer, NearFigures Figures, bool GoesOn);
