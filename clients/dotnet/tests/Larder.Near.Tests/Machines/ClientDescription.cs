using System.Reflection;
using System.Text;
using Larder.Client.Near;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Machines;

/// <summary>
/// All that a near state's later answers depend on, as text. Read by reflection, so that a field that is added to the state changes it unasked; what is left
/// out is named here, with the reason.
/// </summary>
internal static class ClientDescription
{
    /// <summary>Fields that no later answer depends on.</summary>
    public static readonly IReadOnlySet<string> LeftOut = new HashSet<string>
    {
        // Locks and figures.
        "NearState._lock", "NearState._hits", "NearState._kept", "NearState._invalidations", "NearState._clears", "NearState._poisoned",

        // Told below, in a form that does not depend on how often something came or in which order tables were filled.
        "NearState._copies", "NearState._flights", "NearState._tickets", "NearState._events", "NearState._allPoisonedAt",

        // Settings.
        "NearState.<maxAge>P",
    };

    public static string Of(ClientUnderTest client, Scenario scenario)
    {
        NearState state = client.State;
        StringBuilder text = new();
        foreach (FieldInfo field in FieldsOf(typeof(NearState)))
        {
            if (!LeftOut.Contains($"{nameof(NearState)}.{field.Name}"))
            {
                text.Append(field.Name).Append('=').Append(field.GetValue(state)).Append(' ');
            }
        }

        foreach (NearCopy copy in state.Held.OrderBy(static copy => copy.Key[1]))
        {
            string end = copy.EndsAt > TimeSpan.FromHours(1) ? "never" : $"{copy.EndsAt}";
            text.Append($"copy {copy.Key[1]}:{copy.Value[0]} ticket {copy.Ticket} ends {end} ");
        }

        // Events are compared with the beginnings of near gets alone: how many of these are before each tells all.
        long[] beginnings = [.. client.Gets.OfType<NearGet>().Where(static get => get.IsInFlight).Select(static get => get.BegunAt).Order().Distinct()];
        int After(long @event) => beginnings.Count(beginning => beginning < @event);
        text.Append($"all {After(NearStateParts.AllPoisonedAtOf(state))} ");
        for (int i = 0; i < client.Gets.Count; i++)
        {
            if (client.Gets[i] is { } get)
            {
                text.Append($"get {i} of {get.Flight.Key[1]} in {get.Stream} {get.IsInFlight} at {After(get.BegunAt)} poison {After(get.Flight.PoisonedAt)} ");
                if (scenario.Expires)
                {
                    text.Append($"sent {get.SentAt} ");
                }
            }
        }

        foreach (uint ticket in scenario.AllTickets)
        {
            int came = 0;
            foreach (long beginning in beginnings)
            {
                came += NearStateParts.TicketsOf(state).CameAfter(ticket, beginning) ? 1 : 0;
            }

            text.Append($"ticket {ticket} {came} ");
        }

        if (scenario.IsFlooded)
        {
            text.Append($"remembered {RememberedOf(state)}");
        }

        return text.ToString();
    }

    /// <summary>The instance fields of a type of the client's.</summary>
    public static FieldInfo[] FieldsOf(Type type) => type.GetFields(BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public);

    private static int RememberedOf(NearState state)
    {
        FieldInfo cameAt = typeof(NearTickets).GetField("_cameAt", BindingFlags.Instance | BindingFlags.NonPublic)!;
        return ((Dictionary<uint, long>)cameAt.GetValue(NearStateParts.TicketsOf(state))!).Count;
    }
}
