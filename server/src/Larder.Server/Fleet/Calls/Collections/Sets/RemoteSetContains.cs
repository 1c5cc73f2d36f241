using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>SetContains: SMISMEMBER.</summary>
internal sealed class RemoteSetContains()
    : RemoteLookUp<PresenceReply, Presence>("SCARD"u8.ToArray(), "SMISMEMBER"u8.ToArray(), FleetLimits.ElementsAtOnce, Instead.OfSetContains);
