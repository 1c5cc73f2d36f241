namespace Larder.Client.Pipeline;

/// <summary>The use of one stream in one interval of <see cref="StreamPlan"/>.</summary>
internal struct StreamUse
{
    /// <summary>The share of the interval in which the connection's thread handled responses or resumed callers, from 0 to 1.</summary>
    public double Busy;

    /// <summary>The largest number of calls in flight in the interval.</summary>
    public int MostCalls;

    /// <summary>The number of calls, of the next ones whose callers this stream resumes, that must be sent on other streams. The plan sets it.</summary>
    public int CallsToMove;
}
