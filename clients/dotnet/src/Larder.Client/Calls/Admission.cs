namespace Larder.Client;

/// <summary>The limiter's decision about a call.</summary>
internal enum Admission
{
    /// <summary>The call has a permit and may be sent.</summary>
    Granted,

    /// <summary>The call is queued; the limiter calls back when it is its turn.</summary>
    Queued,

    /// <summary>The queue is full.</summary>
    Refused,
}
