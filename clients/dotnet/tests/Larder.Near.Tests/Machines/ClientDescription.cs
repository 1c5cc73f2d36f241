using System.Reflection;
using System.Text;
using Larder.Client.Near;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Machines;

/// <summary>
/// Formats all parts of a near state that affect its later responses. Fields are read by reflection, so a field that is added to the state is included
/// automatically. Excluded fields are listed here with the reason.
/// </summary>
internal static class ClientDescription
{
    /// <summary>Gets the fields that are excluded, because no later response depends on them directly.</summary>
    public static readonly IReadOnlySet<string> LeftOut = new HashSet<string>
    {
        // Locks and statistics do not affect the responses.
        "NearState._lock", "NearState._hits", "NearState._kept", "NearState._invalidations", "NearState._clears", "NearState._poisoned",

        // The code below describes these fields. Its description does not depend on the number of past events, or on the order in which the tables were filled.
        "NearState._copies", "NearState._flights", "NearState._tickets", "NearState._events", "NearState._allPoisonedAt",

        // Settings do not change.
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

        // The state compares the time of an event only with the start times of near gets. So the number of near gets that started before an event describes its
        // time completely.
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
                came += NearStateParts.TicketsOf(state).ArrivedAfter(ticket, beginning) ? 1 : 0;
            }

            text.Append($"ticket {ticket} {came} ");
        }

        if (scenario.IsFlooded)
        {
            text.Append($"remembered {RememberedOf(state)}");
        }

        return text.ToString();
    }

    /// <summary>Returns the instance fields of a client type.</summary>
    public static FieldInfo[] FieldsOf(Type type) => type.GetFields(BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public);

    private static int RememberedOf(NearState state)
    {
        FieldInfo cameAt = typeof(NearTickets).GetField("_arrivedAt", BindingFlags.Instance | BindingFlags.NonPublic)!;
        return ((Dictionary<uint, long>)cameAt.GetValue(NearStateParts.TicketsOf(state))!).Count;
    }
}
