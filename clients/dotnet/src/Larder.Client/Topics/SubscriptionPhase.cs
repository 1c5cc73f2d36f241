namespace Larder.Client.Topics;

/// <summary>The phase of a subscription.</summary>
internal enum SubscriptionPhase
{
    /// <summary>The subscription has not started.</summary>
    Idle,

    /// <summary>The subscription was requested, but no message has arrived yet on the current stream.</summary>
    Connecting,

    /// <summary>A message has arrived on the current stream.</summary>
    Live,

    /// <summary>The stream was lost. The subscription waits before it retries.</summary>
    Waiting,

    /// <summary>The subscription has ended because of an error or because its reader ended it.</summary>
    Ended,
}
