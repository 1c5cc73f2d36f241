namespace Larder.Lab.Near;

/// <summary>The number of near copies that a process served while its network was cut.</summary>
/// <param name="Process">The name of the process.</param>
/// <param name="HitsInLease">The number of copies served before the lease ended.</param>
/// <param name="HitsPastLease">The number of copies served after the lease had ended.</param>
internal sealed record NearCut(string Process, long HitsInLease, long HitsPastLease);
