using System.Net;
using System.Text.Json;
using Larder.Client.Gateways;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Gateways;

/// <summary>Runs the cases of <c>protocol/vectors/clients/gateways.json</c>, which all clients share.</summary>
public sealed class GatewayVectorTests
{
    private static readonly ClientVectors Cases = new("gateways.json");

    public static TheoryData<string> Names => [.. Cases.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Gateways_match_shared_test_vectors(string name)
    {
        JsonElement given = Cases[name];
        if (given.TryGetProperty("list", out JsonElement list))
        {
            Reads(list.GetString()!, given.GetProperty("then"));
        }
        else if (given.TryGetProperty("resolved", out JsonElement resolved))
        {
            IPAddress[] gateways = GatewayNames.GatewaysOf(resolved.EnumerateArray().Select(static each => IPAddress.Parse(each.GetString()!)));
            Assert.Equal(Texts(given.GetProperty("then").GetProperty("addresses")), gateways.Select(static gateway => gateway.ToString()));
        }
        else if (given.TryGetProperty("inFlight", out JsonElement inFlight))
        {
            int[] loads = [.. inFlight.EnumerateArray().Select(static each => each.GetInt32())];
            Assert.Equal(given.GetProperty("then").GetProperty("gateway").GetInt32(), Chosen(loads, given));
        }
        else
        {
            AssertSuspended(given);
        }
    }

    private static void Reads(string list, JsonElement then)
    {
        if (then.TryGetProperty("refused", out JsonElement refused))
        {
            string message = Assert.Throws<ArgumentException>(() => CredentialProvider.FromString(list)).Message;
            Assert.Contains(refused.GetString()!, message, StringComparison.Ordinal);
            Assert.DoesNotContain("s3", message, StringComparison.Ordinal);
            return;
        }

        CredentialProvider credentials = CredentialProvider.FromString(list);
        Assert.Equal(
            Texts(then.GetProperty("gateways")),
            credentials.Endpoints.Select(static gateway => $"{gateway.Scheme}://{gateway.Host}:{gateway.Port}"));
        if (then.TryGetProperty("tokens", out JsonElement tokens))
        {
            Assert.Equal(Texts(tokens), credentials.Gateways.Select(static gateway => gateway.Token));
        }
    }

    private static int Chosen(int[] inFlight, JsonElement given)
    {
        int failedBy = given.TryGetProperty("failedBy", out JsonElement failed) ? failed.GetInt32() : -1;
        int[] others = [.. Enumerable.Range(0, inFlight.Length).Where(gateway => gateway != failedBy)];
        others = others.Length > 0 ? others : [failedBy];
        double[] draws = [.. given.GetProperty("draws").EnumerateArray().Select(static each => each.GetDouble())];
        (int one, int other) = GatewayChoice.Draw(others.Length, draws[0], draws[1]);
        return GatewayChoice.LessLoaded(others[one], inFlight[others[one]], others[other], inFlight[others[other]]);
    }

    private static void AssertSuspended(JsonElement given)
    {
        GatewayHealth health = new(TimeSpan.FromMilliseconds(given.GetProperty("mostMs").GetDouble()));
        foreach (JsonElement step in given.GetProperty("steps").EnumerateArray())
        {
            health.Refused(TimeSpan.FromMilliseconds(step.GetProperty("refusedAtMs").GetDouble()), step.GetProperty("random").GetDouble());
            Assert.Equal(step.GetProperty("then").GetProperty("asideUntilMs").GetDouble(), health.SuspendedUntil.TotalMilliseconds);
        }
    }

    private static IEnumerable<string> Texts(JsonElement array) => array.EnumerateArray().Select(static each => each.GetString()!);
}
