using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>Two gateways, one for each client, and the nodes behind them.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct FleetPart
{
    /// <summary>The first gateway's to each node, then the second's.</summary>
    public Four<LinkPart> Links;

    /// <summary>Connections that are still lost.</summary>
    public byte LossesLeft;

    /// <summary>The node that has the first key.</summary>
    public byte Owner;

    /// <summary>It has the key; the slot is the first node's yet, which redirects for the time being (ASK).</summary>
    public bool IsMigrating;

    /// <summary>When the slot moved or the cache was flushed, and one; 0: neither.</summary>
    public byte ChangedAt;

    /// <summary>Where each gateway looks for it.</summary>
    public Two<byte> Views;

    /// <summary>The first node was cut off and does not know that another has its slots: it still answers.</summary>
    public bool IsCutOff;

    /// <summary>It has noticed, and answers no call on a key.</summary>
    public bool IsRefusing;

    /// <summary>What it still has.</summary>
    public byte CutOffVersion;

    public ValueForm CutOffForm;

    /// <summary>The newest version whose write ended while it still answered.</summary>
    public byte EndedMeanwhile;

    /// <summary>Flushes so far: part of each key's name at the node.</summary>
    public byte Generation;

    /// <summary>Gateways that know of the flush: a bit each.</summary>
    public byte Knowing;

    /// <summary>What was there before the flush.</summary>
    public byte OldVersion;
}
