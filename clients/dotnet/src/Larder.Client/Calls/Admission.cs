namespace Larder.Client;

/// <summary>What the limiter made of a call that asked to enter.</summary>
internal enum Admission
{
    /// <summary>It has a permit: send it.</summary>
    Granted,

    /// <summary>It waits its turn; the limiter will call it.</summary>
    Queued,

    /// <summary>The queue is full.</summary>
    Refused,
}
