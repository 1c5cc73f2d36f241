namespace Larder.Client.Topics;

/// <summary>Where a subscription is.</summary>
internal enum SubscriptionPhase
{
    /// <summary>Not begun.</summary>
    Idle,

    /// <summary>Asked for; nothing has come.</summary>
    Connecting,

    /// <summary>A message has come on this stream.</summary>
    Live,

    /// <summary>Its stream is lost; it waits before it asks again.</summary>
    Waiting,

    /// <summary>Over, by an error or by its reader.</summary>
    Ended,
}
