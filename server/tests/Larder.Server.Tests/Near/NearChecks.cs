using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Near;

/// <summary>Checks of a near stream that apply to every kind of store.</summary>
internal static class NearChecks
{
    /// <summary>Checks that a hit has the remaining TTL and the key's ticket, which is the same for all clients.</summary>
    public static async Task HasTicketAsync(RunningServer server)
    {
        await using NearClient client = await server.OpenNearAsync();
        await client.AskAsync(NearClient.Set("k", "v", ttlMs: 50_000));
        Result first = await client.GetAsync("k");
        Assert.Equal("v", first.Get.Value.ToStringUtf8());
        Assert.InRange(first.TtlLeftMs, 1u, 49_999u);
        Assert.InRange(first.Ticket, 1u, 1u << 20);
        Assert.Equal(first.Ticket, (await client.GetAsync("k")).Ticket);
        await using NearClient other = await server.OpenNearAsync();
        Assert.Equal(first.Ticket, (await other.GetAsync("k")).Ticket);
    }

    /// <summary>
    /// Checks that responses that clients must not keep have no ticket. Afterwards, the cache contains the item "at", whose response may be kept.
    /// </summary>
    public static async Task HasNoTicketAsync(RunningServer server)
    {
        await using NearClient client = await server.OpenNearAsync();
        Result missing = await client.GetAsync("missing");
        Assert.Equal((0u, CacheResult.Miss), (missing.Ticket, missing.Get.Result));
        await client.AskAsync(NearClient.Set("large", new string('x', (64 * 1024) + 1)));
        Result large = await client.GetAsync("large");
        Assert.Equal((0u, Result.OutcomeOneofCase.UseUnary), (large.Ticket, large.OutcomeCase));
        await client.AskAsync(NearClient.Set("at", new string('x', 64 * 1024)));
        Assert.NotEqual(0u, (await client.GetAsync("at")).Ticket);
        await client.AskAsync(new Operation
        {
            Id = 7,
            ListPushBack = new ListPushBackRequest { Name = CallHarness.Bytes("list"), Value = CallHarness.Bytes("1"), TtlMs = 9_000 },
        });
        Result list = await client.GetAsync("list");
        Assert.Equal((0u, (uint)StatusCode.FailedPrecondition), (list.Ticket, list.Status.Code));
        Result empty = await client.GetAsync("");
        Assert.Equal((0u, (uint)StatusCode.InvalidArgument), (empty.Ticket, empty.Status.Code));
        Operation plain = NearClient.Get(9, "at");
        plain.Near = false;
        Assert.Equal(0u, (await client.AskAsync(plain)).Ticket);
        await using NearClient none = await NearClient.OpenPlainAsync(server);
        Assert.Equal(0u, (await none.GetAsync("at")).Ticket);
    }
}
