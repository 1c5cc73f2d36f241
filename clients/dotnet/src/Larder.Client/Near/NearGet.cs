namespace Larder.Client.Near;

/// <summary>A near get in flight: a get on the near stream, whose value may be cached.</summary>
internal sealed class NearGet(NearFlight flight, long stream, long begunAt, TimeSpan sentAt)
{
    /// <summary>Gets the object that all near gets in flight for the same key share, including this near get.</summary>
    public NearFlight Flight { get; } = flight;

    /// <summary>Gets the number that identifies the stream on which the near get was sent.</summary>
    public long Stream { get; } = stream;

    /// <summary>Gets the sequence number of the last event before the near get began. Events that poison this near get have higher sequence numbers.</summary>
    public long BegunAt { get; } = begunAt;

    public TimeSpan SentAt { get; } = sentAt;

    /// <summary>Gets or sets whether the near get is still in flight: it has neither received a response nor failed.</summary>
    public bool IsInFlight { get; set; } = true;
}
