namespace Larder.Lab.Near;

/// <summary>What a process read from copies while nothing passed between it and any server.</summary>
/// <param name="Process">Its name.</param>
/// <param name="HitsInLease">Copies served until the lease had ended.</param>
/// <param name="HitsPastLease">Copies served from then on.</param>
internal sealed record NearCut(string Process, long HitsInLease, long HitsPastLease);
