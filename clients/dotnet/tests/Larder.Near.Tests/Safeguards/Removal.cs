using System.ComponentModel;
using System.Reflection;
using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Safeguards;

/// <summary>The removal of a safeguard, and a scenario that shows its effect.</summary>
/// <param name="Safeguard">The removed safeguard.</param>
/// <param name="Scenario">The scenario in which the guarantees are violated after the removal.</param>
internal sealed record Removal(Safeguard Safeguard, Scenario Scenario)
{
    /// <summary>Gets each safeguard with a scenario that needs it.</summary>
    public static IReadOnlyList<Removal> All { get; } =
    [
        new(Safeguard.NoteBeforeReading, Scenarios.Lease),
        new(Safeguard.VisibleBeforeTaking, Scenarios.Lease),
        new(Safeguard.TellingBeforeAnswer, Scenarios.Lease),
        new(Safeguard.SettlingBeforeRenewal, Scenarios.Lease),
        new(Safeguard.DeliveryBeforeSending, Scenarios.Lease),
        new(Safeguard.TicketsBeforeRenewal, Scenarios.Lease),
        new(Safeguard.ClearOfFlush, Scenarios.Flushes),
        new(Safeguard.ClearOfOverflow, Scenarios.Overflow),
        new(Safeguard.ForgettingBeforeReuse, Scenarios.Loss),
        new(Safeguard.BarrierOfFirstStream, Scenarios.Opening),
        new(Safeguard.TicketsBeforeResults, Scenarios.Lease),
        new(Safeguard.OwnWriteDrops, Scenarios.OwnWrites),
        new(Safeguard.OwnWritePoisons, Scenarios.OwnWrites),
        new(Safeguard.ErrorsTell, Scenarios.Errors),
        new(Safeguard.PlainReadDrops, Scenarios.PlainReads),
        new(Safeguard.PlainReadPoisons, Scenarios.PlainReads),
        new(Safeguard.EndCounts, Scenarios.PlainReads),
        new(Safeguard.OwnFlushDrops, Scenarios.OwnFlush),
        new(Safeguard.OwnFlushPoisons, Scenarios.OwnFlush),
        new(Safeguard.NearAnswerPoisons, Scenarios.Unordered),
        new(Safeguard.UnkeptAnswerDrops, Scenarios.Reads),
        new(Safeguard.TicketDrops, Scenarios.Reads),
        new(Safeguard.TicketIsRemembered, Scenarios.Reads),
        new(Safeguard.ForgettingPoisons, Scenarios.Flood),
        new(Safeguard.ClearDrops, Scenarios.Flushes),
        new(Safeguard.ClearPoisons, Scenarios.Flushes),
        new(Safeguard.LossDrops, Scenarios.Replacement),
        new(Safeguard.LossPoisonsAndAnswersOfNearStream, Scenarios.Replacement with { Renews = 1 }),
        new(Safeguard.LeaseEnds, Scenarios.Lease),
        new(Safeguard.LeaseFromSending, Scenarios.Lease),
        new(Safeguard.LeaseOfOwnStream, Scenarios.Replacement),
        new(Safeguard.LifeEnds, Scenarios.Expiry),
        new(Safeguard.LifeFromSending, Scenarios.Expiry),
        new(Safeguard.TicketOfTrackedReply, Scenarios.FleetMigration),
        new(Safeguard.ChangesBeforeReplies, Scenarios.Fleet),
        new(Safeguard.ClearOfLostLink, Scenarios.FleetLinkLoss),
        new(Safeguard.ClearOfMovedSlot, Scenarios.FleetTaking),
        new(Safeguard.ClearOfHeardFlush, Scenarios.FleetFlush),
        new(Safeguard.ReadBeforeRenewal, Scenarios.Fleet),
        new(Safeguard.DirectoryBeforeRenewal, Scenarios.FleetFlushUnheard),
        new(Safeguard.AllNodesBeforeRenewal, Scenarios.FleetTwoNodes),
        new(Safeguard.ReadNotPing, Scenarios.FleetFailover),
    ];

    /// <summary>Gets the safeguards whose removal violates no guarantee, each with the reason.</summary>
    public static IReadOnlyList<(Removal Removal, string Why)> NotNeeded { get; } =
    [
        (new(Safeguard.LossPoisons, Scenarios.Replacement with { Renews = 1 }), "an answer of another stream is not kept in any case"),
        (new(Safeguard.AnswersOfNearStream, Scenarios.Replacement with { Renews = 1 }), "what was in flight on another stream is poisoned in any case"),
        (new(Safeguard.FailedReadsTell, Scenarios.Errors), "who is told an error has seen no value"),
        (new(Safeguard.NoteBeforeAsking, Scenarios.FleetOneGateway), "a node says that a key has changed behind its reply, on the same connection"),
    ];

    /// <summary>Gets the number of the safeguard's rule, and a description of the safeguard.</summary>
    public string Text => typeof(Safeguard).GetField(Safeguard.ToString())!.GetCustomAttribute<DescriptionAttribute>()!.Description;

    public Exploration Explore() => Explorer.Explore(new NearWorld(Scenario, Safeguard), Scenarios.MaxStates);
}
