namespace Larder.Client.Near;

/// <summary>A near get in flight.</summary>
internal sealed class NearGet(NearFlight flight, long stream, long begunAt, TimeSpan sentAt)
{
    /// <summary>Gets the near gets of the same key, including this one.</summary>
    public NearFlight Flight { get; } = flight;

    /// <summary>Gets the number of the stream that it was sent on.</summary>
    public long Stream { get; } = stream;

    /// <summary>Gets the number of the last event before it began: an event that poisons it has a higher one.</summary>
    public long BegunAt { get; } = begunAt;

    public TimeSpan SentAt { get; } = sentAt;

    /// <summary>Gets or sets whether it has neither been answered nor failed.</summary>
    public bool IsInFlight { get; set; } = true;
}
