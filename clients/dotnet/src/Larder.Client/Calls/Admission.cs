namespace Larder.Client;

/// <summary>The limiter's decision about a call.</summary>
internal enum Admission
{
    /// <summary>The call has a permit and may be sent.</summary>
    Granted,

    /// <summary>The call is queued. The limiter grants it a permit when it reaches the head of the queue.</summary>
    Queued,

    /// <summary>The call is rejected because the queue is full.</summary>
    Refused,
}
