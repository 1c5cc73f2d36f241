namespace Larder.Lab.Near;

/// <summary>The reads of a process from near copies while its network was cut.</summary>
/// <param name="Process">The name of the process.</param>
/// <param name="HitsInLease">The number of copies served until the lease had ended.</param>
/// <param name="HitsPastLease">The number of copies served after that.</param>
internal sealed record NearCut(string Process, long HitsInLease, long HitsPastLease);
