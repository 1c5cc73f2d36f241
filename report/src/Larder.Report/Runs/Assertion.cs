namespace Larder.Report.Runs;

/// <summary>A condition of <c>--assert</c>, the measured value, and whether the condition was true.</summary>
internal sealed record Assertion(string Demand, string Measured, bool Held);
