namespace Larder.Near.Tests.Safeguards;

/// <summary>What keeps the promise. Each can be removed from a world, and is then missed.</summary>
internal enum Safeguard
{
    /// <summary>None is removed.</summary>
    None,

    /// <summary>NEAR-4: a near get notes that its stream is to be told before it reads.</summary>
    NoteBeforeReading,

    /// <summary>NEAR-4: a write is visible before it takes who is to be told.</summary>
    VisibleBeforeTaking,

    /// <summary>NEAR-4: a write queues its tickets before it is answered.</summary>
    TellingBeforeAnswer,

    /// <summary>NEAR-7: a renew waits for writes that have taken and not told.</summary>
    SettlingBeforeRenewal,

    /// <summary>NEAR-7: what is queued leaves before a renew's answer.</summary>
    TicketsBeforeRenewal,

    /// <summary>NEAR-5: a flush puts a clear.</summary>
    ClearOfFlush,

    /// <summary>NEAR-5: more tickets than wait at most are a clear.</summary>
    ClearOfOverflow,

    /// <summary>NEAR-8: a number is used again only when its notes are forgotten.</summary>
    ForgettingBeforeReuse,

    /// <summary>The first near stream waits until all writes that looked for nobody are visible.</summary>
    BarrierOfFirstStream,

    /// <summary>NEAR-6: tickets come before the results of their message.</summary>
    TicketsBeforeResults,

    /// <summary>NEAR-22: the end of an own write drops the copy.</summary>
    OwnWriteDrops,

    /// <summary>NEAR-22: the end of an own write poisons near gets of its key in flight.</summary>
    OwnWritePoisons,

    /// <summary>NEAR-22: that an own write ended in an error counts, too.</summary>
    ErrorsTell,

    /// <summary>NEAR-22: the end of a plain read drops the copy.</summary>
    PlainReadDrops,

    /// <summary>NEAR-22: the end of a plain read poisons near gets of its key in flight.</summary>
    PlainReadPoisons,

    /// <summary>NEAR-22: the copy goes at a call's end, not at its beginning.</summary>
    EndCounts,

    /// <summary>NEAR-22: an own flush drops the cache's copies.</summary>
    OwnFlushDrops,

    /// <summary>NEAR-22: an own flush poisons the cache's near gets in flight.</summary>
    OwnFlushPoisons,

    /// <summary>NEAR-24: a near get's answer poisons the others of its key in flight.</summary>
    NearAnswerPoisons,

    /// <summary>NEAR-24: an answer that is not kept drops the copy.</summary>
    UnkeptAnswerDrops,

    /// <summary>NEAR-23: a ticket drops its copies.</summary>
    TicketDrops,

    /// <summary>NEAR-23: tickets that came while a near get is in flight are remembered.</summary>
    TicketIsRemembered,

    /// <summary>NEAR-26: where tickets are forgotten, near gets in flight are poisoned.</summary>
    ForgettingPoisons,

    /// <summary>NEAR-5: a clear drops all copies.</summary>
    ClearDrops,

    /// <summary>NEAR-22: a clear poisons all near gets in flight.</summary>
    ClearPoisons,

    /// <summary>NEAR-20: all copies go with their stream.</summary>
    LossDrops,

    /// <summary>NEAR-20: near gets in flight are poisoned with their stream, and no other stream's answer is kept.</summary>
    LossPoisons,

    /// <summary>NEAR-21: no copy is served after the lease.</summary>
    LeaseEnds,

    /// <summary>NEAR-21: the lease begins when a renew was sent.</summary>
    LeaseFromSending,

    /// <summary>NEAR-21: another stream's answer renews nothing.</summary>
    LeaseOfOwnStream,

    /// <summary>NEAR-25: no copy is served after its life.</summary>
    LifeEnds,

    /// <summary>NEAR-25: a copy's life begins when its get was sent.</summary>
    LifeFromSending,

    /// <summary>NEAR-40: a ticket is given only where the reply came on a tracked connection.</summary>
    TicketOfTrackedReply,

    /// <summary>NEAR-41: what a node says is changed is told before later replies of it are used.</summary>
    ChangesBeforeReplies,

    /// <summary>NEAR-41: a tracked connection that is lost is a clear.</summary>
    ClearOfLostLink,

    /// <summary>NEAR-41: a change of the slots is a clear.</summary>
    ClearOfMovedSlot,

    /// <summary>NEAR-41: a flush that a front hears of is a clear.</summary>
    ClearOfHeardFlush,

    /// <summary>NEAR-42: nodes are asked before a renew is answered.</summary>
    ReadBeforeRenewal,

    /// <summary>NEAR-42: all of them are.</summary>
    AllNodesBeforeRenewal,

    /// <summary>NEAR-42: they are asked for a key of their own, which one without slots refuses.</summary>
    ReadNotPing,
}
