using System.ComponentModel;

namespace Larder.Near.Tests.Safeguards;

/// <summary>The mechanisms that ensure the guarantees, by rule. Each can be removed from a model.</summary>
internal enum Safeguard
{
    /// <summary>The value for a model in which no safeguard is removed.</summary>
    None,

    [Description("NEAR-4: a near get notes that its stream is to be told before it reads")]
    NoteBeforeReading,

    [Description("NEAR-4: a write is visible before it takes who is to be told")]
    VisibleBeforeTaking,

    [Description("NEAR-4: a write queues its tickets before it is answered")]
    TellingBeforeAnswer,

    [Description("NEAR-7: a renew waits for writes that have taken and not told")]
    SettlingBeforeRenewal,

    [Description("NEAR-7: logged changes are put into the queues before a message is sent")]
    DeliveryBeforeSending,

    [Description("NEAR-7: what is queued leaves before a renew's answer")]
    TicketsBeforeRenewal,

    [Description("NEAR-5: a flush puts a clear")]
    ClearOfFlush,

    [Description("NEAR-5: more tickets than wait at most are a clear")]
    ClearOfOverflow,

    [Description("NEAR-8: a number is used again only when its notes are forgotten")]
    ForgettingBeforeReuse,

    [Description("NEAR-4: the first near stream is answered once all writes that looked for nobody are visible")]
    BarrierOfFirstStream,

    [Description("NEAR-6: tickets come before the results of their message")]
    TicketsBeforeResults,

    [Description("NEAR-22: the end of an own write drops the copy")]
    OwnWriteDrops,

    [Description("NEAR-22: the end of an own write poisons near gets of its key in flight")]
    OwnWritePoisons,

    [Description("NEAR-22: that an own write ended in an error counts, too")]
    ErrorsTell,

    [Description("NEAR-22: that a near get ended in an error counts, too")]
    FailedReadsTell,

    [Description("NEAR-22: the end of a plain read drops the copy")]
    PlainReadDrops,

    [Description("NEAR-22: the end of a plain read poisons near gets of its key in flight")]
    PlainReadPoisons,

    [Description("NEAR-22: the copy goes at a call's end, not at its beginning")]
    EndCounts,

    [Description("NEAR-22: an own flush drops the cache's copies")]
    OwnFlushDrops,

    [Description("NEAR-22: an own flush poisons the cache's near gets in flight")]
    OwnFlushPoisons,

    [Description("NEAR-24: a near get's answer poisons the others of its key in flight")]
    NearAnswerPoisons,

    [Description("NEAR-24: an answer that is not kept drops the copy")]
    UnkeptAnswerDrops,

    [Description("NEAR-23: a ticket drops its copies")]
    TicketDrops,

    [Description("NEAR-23: tickets that came while a near get is in flight are remembered")]
    TicketIsRemembered,

    [Description("NEAR-26: where tickets are forgotten, near gets in flight are poisoned")]
    ForgettingPoisons,

    [Description("NEAR-5: a clear drops all copies")]
    ClearDrops,

    [Description("NEAR-22: a clear poisons all near gets in flight")]
    ClearPoisons,

    [Description("NEAR-20: all copies go with their stream")]
    LossDrops,

    [Description("NEAR-20: near gets in flight are poisoned with their stream")]
    LossPoisons,

    [Description("NEAR-24: no answer of another stream than the near stream is kept")]
    AnswersOfNearStream,

    [Description("NEAR-20, 24: near gets in flight are poisoned with their stream, and no answer of another is kept")]
    LossPoisonsAndAnswersOfNearStream,

    [Description("NEAR-21: no copy is served after the lease")]
    LeaseEnds,

    [Description("NEAR-21: the lease begins when a renew was sent")]
    LeaseFromSending,

    [Description("NEAR-21: another stream's answer renews nothing")]
    LeaseOfOwnStream,

    [Description("NEAR-25: no copy is served after its life")]
    LifeEnds,

    [Description("NEAR-25: a copy's life begins when its get was sent")]
    LifeFromSending,

    [Description("NEAR-40: a gateway notes that the stream is to be told before it asks the node")]
    NoteBeforeAsking,

    [Description("NEAR-40: a ticket is given only where the reply came on a tracked connection")]
    TicketOfTrackedReply,

    [Description("NEAR-41: what a node says is changed is told before later replies of it are used")]
    ChangesBeforeReplies,

    [Description("NEAR-41: a tracked connection that is lost is a clear")]
    ClearOfLostLink,

    [Description("NEAR-41: a change of the slots is a clear")]
    ClearOfMovedSlot,

    [Description("NEAR-41: a flush that a gateway hears of is a clear")]
    ClearOfHeardFlush,

    [Description("NEAR-42: nodes are asked before a renew is answered")]
    ReadBeforeRenewal,

    [Description("NEAR-42: what was flushed is looked up before a renew is answered")]
    DirectoryBeforeRenewal,

    [Description("NEAR-42: all of them are")]
    AllNodesBeforeRenewal,

    [Description("NEAR-42: they are asked for a key of their own, which one without slots refuses")]
    ReadNotPing,
}
