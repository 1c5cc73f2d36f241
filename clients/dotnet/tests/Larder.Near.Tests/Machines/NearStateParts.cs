using System.Runtime.CompilerServices;
using Larder.Client.Near;

namespace Larder.Near.Tests.Machines;

/// <summary>A snapshot of parts of a near state before a call. Restoring it undoes the effect of a removed safeguard.</summary>
internal sealed class NearStateParts
{
    private readonly NearState _state;
    private readonly NearCopy[] _copies;
    private readonly (NearFlight Flight, long PoisonedAt)[] _flights;
    private readonly long _allPoisonedAt;

    private NearStateParts(NearState state, IEnumerable<NearGet?> gets)
    {
        _state = state;
        _copies = [.. CopiesOf(state).All];
        _flights = [.. gets.OfType<NearGet>().Select(get => (get.Flight, get.Flight.PoisonedAt))];
        _allPoisonedAt = AllPoisonedAtOf(state);
    }

    public static NearStateParts Of(NearState state, IEnumerable<NearGet?> gets) => new(state, gets);

    public static long StreamOf(NearState state) => StreamField(state);

    public static NearCopies CopiesOf(NearState state) => CopiesField(state);

    public static NearTickets TicketsOf(NearState state) => TicketsField(state);

    public static long AllPoisonedAtOf(NearState state) => AllPoisonedAtField(state);

    public void Restore(bool copies, bool poison)
    {
        if (copies)
        {
            RestoreCopies();
        }

        if (poison)
        {
            RestorePoison();
        }
    }

    /// <summary>Restores the copies that the call removed.</summary>
    public void RestoreCopies()
    {
        foreach (NearCopy copy in _copies)
        {
            NearKey key = new(copy.Cache, copy.Key);
            if (CopiesOf(_state).Find(key) is null)
            {
                CopiesOf(_state).Add(new NearCopy(new NearFlight(key), copy.Answer, copy.Ticket, copy.SentAt, copy.EndsAt));
            }
        }
    }

    /// <summary>
    /// Restores the times at which the near gets in flight were invalidated. This undoes the effect that events since the snapshot had on these gets.
    /// </summary>
    public void RestorePoison()
    {
        AllPoisonedAtField(_state) = _allPoisonedAt;
        foreach ((NearFlight flight, long poisonedAt) in _flights)
        {
            flight.PoisonedAt = poisonedAt;
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_copies")]
    private static extern ref NearCopies CopiesField(NearState state);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_tickets")]
    private static extern ref NearTickets TicketsField(NearState state);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_stream")]
    private static extern ref long StreamField(NearState state);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_allPoisonedAt")]
    private static extern ref long AllPoisonedAtField(NearState state);
}
