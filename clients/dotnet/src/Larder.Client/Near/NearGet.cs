namespace Larder.Client.Near;

/// <summary>One near get in flight: what it asked, where, when, and all that had come by then.</summary>
internal sealed class NearGet(NearFlight flight, long stream, long begunAt, TimeSpan sentAt)
{
    /// <summary>It and the others of its key.</summary>
    public NearFlight Flight { get; } = flight;

    /// <summary>The stream that it was written into.</summary>
    public long Stream { get; } = stream;

    /// <summary>The number of the last event before it: what is poisoned later has a higher one.</summary>
    public long BegunAt { get; } = begunAt;

    public TimeSpan SentAt { get; } = sentAt;

    /// <summary>True until it is answered or has failed.</summary>
    public bool IsInFlight { get; set; } = true;
}
