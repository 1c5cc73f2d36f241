using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>SetFetch: SMEMBERS, within a script or behind it.</summary>
internal sealed class RemoteSetFetch()
    : RemoteCollectionFetch<PlainReply, PlainElement>("SCARD"u8.ToArray(), "SMEMBERS"u8.ToArray(), "SSCAN"u8.ToArray(), Instead.OfSetFetch);
