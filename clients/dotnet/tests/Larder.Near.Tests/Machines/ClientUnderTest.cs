using Larder.Client;
using Larder.Client.Near;
using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Machines;

/// <summary>
/// The .NET client's <see cref="NearState"/> and its near gets in flight. The calls are the same as in the client. One safeguard can be removed. To remove it,
/// its effect is undone after each call, or the call that implements the safeguard is skipped.
/// </summary>
internal sealed class ClientUnderTest(Scenario scenario, Safeguard removed)
{
    /// <summary>The duration of one unit of a model's time.</summary>
    private static readonly TimeSpan s_unit = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan s_dayLong = TimeSpan.FromDays(1);

    private static readonly uint[] s_flood = [.. Enumerable.Range(100, NearTickets.Most).Select(ticket => (uint)ticket)];

    private readonly NearGet?[] _gets = new NearGet?[Scenario.CallsOfClient];

    public NearState State { get; } = new(maxBytes: 1 << 20, s_dayLong);

    public IReadOnlyList<NearGet?> Gets => _gets;

    public static string KeyOf(int key) => key == 0 ? "k0" : "k1";

    /// <summary>Makes a call. A find returns one plus the version of the copy, or 0 if there is no copy.</summary>
    public long Call(ClientCall call)
    {
        NearKey key = new(Scenario.Cache, System.Text.Encoding.ASCII.GetBytes(KeyOf(call.Key)));
        TimeSpan now = call.Now * s_unit;
        switch (call.Kind)
        {
            case ClientCallKind.Opened:
                Leave(() => State.Opened(call.Stream, call.Time * s_unit, scenario.Lease * s_unit));
                return 0;
            case ClientCallKind.Lost:
                Leave(() => State.Lost(call.Stream));
                return 0;
            case ClientCallKind.Renewed:
                State.Renewed(call.Stream, removed == Safeguard.LeaseFromSending ? now : call.Time * s_unit);
                return 0;
            case ClientCallKind.Find:
                return Find(key, now);
            case ClientCallKind.Begin:
                _gets[call.Operation] = State.Begin(key, call.Stream, now);
                return 0;
            case ClientCallKind.Answered:
                Answer(call, now);
                return 0;
            case ClientCallKind.Failed:
                State.Failed(_gets[call.Operation]!);
                _gets[call.Operation] = null;
                return 0;
            case ClientCallKind.EndedRead:
                Ended(key, Safeguard.PlainReadDrops, Safeguard.PlainReadPoisons);
                return 0;
            case ClientCallKind.EndedWrite:
                Ended(key, Safeguard.OwnWriteDrops, Safeguard.OwnWritePoisons);
                return 0;
            case ClientCallKind.Flushed:
                Undone(Safeguard.OwnFlushDrops, Safeguard.OwnFlushPoisons, () => State.Flushed(Scenario.Cache));
                return 0;
            case ClientCallKind.Invalidated:
                Invalidate(call.Stream, scenario.TicketsOf(call.Tickets));
                return 0;
            case ClientCallKind.Flooded:
                Undone(Safeguard.None, Safeguard.ForgettingPoisons, () => State.Invalidated(call.Stream, s_flood));
                return 0;
            case ClientCallKind.Cleared:
                Undone(Safeguard.ClearDrops, Safeguard.ClearPoisons, () => State.Cleared(call.Stream));
                return 0;
            default:
                throw new InvalidOperationException($"nothing is called {call.Kind}");
        }
    }

    private long Find(in NearKey key, TimeSpan now)
    {
        if (removed == Safeguard.LeaseEnds)
        {
            State.Renewed(NearStateParts.StreamOf(State), s_dayLong);
        }

        TimeSpan looked = removed == Safeguard.LifeEnds ? TimeSpan.Zero : now;
        return State.Find(key, looked) is { } copy ? copy.Value[0] + 1 : 0;
    }

    private void Answer(ClientCall call, TimeSpan now)
    {
        NearGet get = _gets[call.Operation]!;
        _gets[call.Operation] = null;
        TimeSpan left = call.Time == 0 ? s_dayLong : call.Time * s_unit;
        if (removed == Safeguard.LifeFromSending)
        {
            left += now - get.SentAt;
        }

        ItemHit? value = call.Version == 0 ? null : new ItemHit([(byte)(call.Version - 1)]);
        uint ticket = call.Tickets == 0 ? 0 : scenario.TicketOf(call.Tickets - 1) + 1;
        long kept = State.Statistics.Kept;
        bool isOfAny = removed is Safeguard.AnswersOfNearStream or Safeguard.LossPoisonsAndAnswersOfNearStream;
        NearGet answered = isOfAny && get.IsInFlight ? AsOfTheNearStream(get) : get;
        NearStateParts parts = NearStateParts.Of(State, _gets);
        State.Answered(answered, value, ticket, left, now);
        if (removed == Safeguard.NearAnswerPoisons)
        {
            parts.RestorePoison();
        }

        if (removed == Safeguard.UnkeptAnswerDrops && State.Statistics.Kept == kept)
        {
            parts.RestoreCopies();
        }
    }

    // Returns a near get that seems to belong to the current near stream, although it was sent on another stream.
    private NearGet AsOfTheNearStream(NearGet get) => new(get.Flight, NearStateParts.StreamOf(State), get.BegunAt, get.SentAt);

    private void Ended(in NearKey key, Safeguard drops, Safeguard poisons)
    {
        NearStateParts parts = NearStateParts.Of(State, _gets);
        State.Ended(key);
        parts.Restore(copies: removed == drops, poison: removed == poisons);
    }

    private void Invalidate(long stream, uint[] tickets)
    {
        NearStateParts parts = NearStateParts.Of(State, _gets);
        State.Invalidated(stream, tickets);
        parts.Restore(copies: removed == Safeguard.TicketDrops, poison: false);
        if (removed == Safeguard.TicketIsRemembered)
        {
            NearStateParts.TicketsOf(State).Forget();
        }
    }

    // Makes a call that reports the loss or replacement of the near stream.
    private void Leave(Action call)
    {
        NearStateParts parts = NearStateParts.Of(State, _gets);
        call();
        bool poison = removed is Safeguard.LossPoisons or Safeguard.LossPoisonsAndAnswersOfNearStream;
        parts.Restore(copies: removed == Safeguard.LossDrops, poison);
    }

    private void Undone(Safeguard drops, Safeguard poisons, Action call)
    {
        NearStateParts parts = NearStateParts.Of(State, _gets);
        call();
        parts.Restore(copies: removed == drops, poison: removed == poisons);
    }
}
