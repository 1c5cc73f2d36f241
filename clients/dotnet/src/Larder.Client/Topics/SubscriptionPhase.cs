namespace Larder.Client.Topics;

/// <summary>The phase of a subscription.</summary>
internal enum SubscriptionPhase
{
    /// <summary>Not started.</summary>
    Idle,

    /// <summary>Requested; no message has arrived yet.</summary>
    Connecting,

    /// <summary>A message has arrived on this stream.</summary>
    Live,

    /// <summary>The stream is lost; the subscription waits before it retries.</summary>
    Waiting,

    /// <summary>Ended by an error or by its reader.</summary>
    Ended,
}
