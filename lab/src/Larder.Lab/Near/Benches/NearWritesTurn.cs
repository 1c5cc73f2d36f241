namespace Larder.Lab.Near;

/// <summary>What one turn of writes measured.</summary>
/// <param name="SetsPerSecond">Sets a second.</param>
/// <param name="ServerUs">The server's processor time of a set, in µs, with all else that it did meanwhile; null where it was not measured.</param>
internal sealed record NearWritesTurn(double SetsPerSecond, double? ServerUs);
