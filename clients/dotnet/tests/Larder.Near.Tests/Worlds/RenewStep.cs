namespace Larder.Near.Tests.Worlds;

/// <summary>How far a renew is.</summary>
internal enum RenewStep : byte
{
    None,
    Sent,

    /// <summary>The server has read it and, of a gateway, asks its nodes.</summary>
    Read,

    /// <summary>The server has passed through the first stripe's lock.</summary>
    HalfSettled,

    /// <summary>All that was taken before has been told.</summary>
    Settled,
}
