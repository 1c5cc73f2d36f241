namespace Larder.Lab.Near;

/// <summary>The result of one turn of writes.</summary>
/// <param name="SetsPerSecond">The sets per second.</param>
/// <param name="ServerUs">The server's total CPU time divided by the number of sets, in µs; null if not measured.</param>
internal sealed record NearWritesTurn(double SetsPerSecond, double? ServerUs);
