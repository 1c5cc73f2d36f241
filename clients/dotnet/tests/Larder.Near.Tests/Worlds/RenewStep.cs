namespace Larder.Near.Tests.Worlds;

/// <summary>The progress of a lease renewal.</summary>
internal enum RenewStep : byte
{
    None,
    Sent,

    /// <summary>The server has received the renewal. A gateway now asks its nodes.</summary>
    Read,

    /// <summary>The server has acquired and released the lock of the first stripe.</summary>
    HalfSettled,

    /// <summary>Every stream that a writer took before the renewal has been notified.</summary>
    Settled,
}
