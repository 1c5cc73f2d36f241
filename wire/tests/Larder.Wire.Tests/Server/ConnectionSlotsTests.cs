using System.Net;

namespace Larder.Wire.Tests.Server;

public sealed class ConnectionSlotsTests
{
    private const int Capacity = 4;

    private static readonly IPAddress s_attacker = IPAddress.Parse("192.0.2.1");
    private static readonly IPAddress s_client = IPAddress.Parse("192.0.2.2");

    private readonly ConnectionSlots _slots = new(Capacity);
    private readonly List<string> _closed = [];

    [Theory]
    [InlineData(Capacity, 0)]
    [InlineData(Capacity + 1, 1)]
    [InlineData(10 * Capacity, 9 * Capacity)]
    public void TryTake_evicts_oldest_unauthenticated_connection_at_capacity(int connections, int evicted)
    {
        for (int index = 0; index < connections; index++)
        {
            Assert.NotNull(Take(s_attacker, $"{index}"));
        }

        Assert.Equal(Enumerable.Range(0, evicted).Select(index => $"{index}"), _closed);
        Assert.Equal(Capacity, _slots.Taken);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10 * Capacity)]
    public void TryTake_returns_null_when_all_connections_are_authenticated(int more)
    {
        for (int index = 0; index < Capacity; index++)
        {
            _slots.Authenticate(Take(s_client, $"{index}")!);
        }

        for (int index = 0; index < more; index++)
        {
            Assert.Null(Take(s_client, "refused"));
        }

        Assert.Empty(_closed);
        Assert.Equal(Capacity, _slots.Taken);
    }

    [Fact]
    public void TryTake_keeps_authenticated_connections_during_connection_flood()
    {
        _slots.Authenticate(Take(s_client, "known")!);
        for (int index = 0; index < 10 * Capacity; index++)
        {
            Assert.NotNull(Take(s_attacker, "attacker"));
        }

        Assert.DoesNotContain("known", _closed);
    }

    [Fact]
    public void TryTake_evicts_idle_connections_before_busy_ones()
    {
        Take(s_client, "busy")!.IsBusy = () => true;
        for (int index = 0; index < Capacity; index++)
        {
            Take(s_client, $"{index}");
        }

        Assert.Equal(["0"], _closed);
    }

    [Fact]
    public void TryTake_evicts_oldest_connection_when_all_are_busy()
    {
        for (int index = 0; index < Capacity; index++)
        {
            Take(s_client, $"{index}")!.IsBusy = () => true;
        }

        Assert.NotNull(Take(s_client, "new"));
        Assert.Equal(["0"], _closed);
    }

    [Fact]
    public void TryTake_evicts_connection_from_network_with_most_connections()
    {
        Take(s_client, "client");
        for (int index = 0; index < 10 * Capacity; index++)
        {
            Take(s_attacker, "attacker");
        }

        Assert.DoesNotContain("client", _closed);
    }

    [Fact]
    public void TryTake_treats_IPv6_network_as_one_client()
    {
        Take(s_client, "client");
        for (int index = 0; index < 10 * Capacity; index++)
        {
            Take(IPAddress.Parse($"2001:db8::{index + 1}"), "attacker");
        }

        Assert.DoesNotContain("client", _closed);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(Capacity)]
    public void TryTake_evicts_authenticated_connection_to_keep_reserve_free(int reserved)
    {
        ConnectionSlots slots = new(Capacity, reserved);
        for (int index = 0; index < Capacity; index++)
        {
            ConnectionSlot slot = slots.TryTake(s_client, out _)!;
            slots.Authenticate(slot);
        }

        Assert.NotNull(slots.TryTake(s_attacker, out bool isEvicting));
        Assert.True(isEvicting);
    }

    [Fact]
    public void Release_frees_slot_only_once()
    {
        ConnectionSlot first = Take(s_client, "first")!;
        ConnectionSlot second = Take(s_client, "second")!;
        _slots.Authenticate(second);
        _slots.Authenticate(second);
        _slots.Release(first);
        _slots.Release(first);
        Assert.Equal(1, _slots.Taken);
        _slots.Release(second);
        Assert.Equal(0, _slots.Taken);
    }

    [Fact]
    public void Release_of_evicted_connection_frees_no_slot()
    {
        ConnectionSlot first = Take(s_client, "first")!;
        for (int index = 0; index < Capacity; index++)
        {
            Take(s_client, $"{index}");
        }

        Assert.True(first.IsEvicted);
        _slots.Authenticate(first);
        _slots.Release(first);
        Assert.Equal(Capacity, _slots.Taken);
    }

    [Fact]
    public void TryAttach_closes_connection_that_was_already_evicted()
    {
        ConnectionSlot slot = _slots.TryTake(s_client, out _)!;
        for (int index = 0; index < Capacity; index++)
        {
            Take(s_client, $"{index}");
        }

        Assert.False(slot.TryAttach(() => _closed.Add("late")));
        Assert.Equal(["late"], _closed);
    }

    private ConnectionSlot? Take(IPAddress address, string name)
    {
        ConnectionSlot? slot = _slots.TryTake(address, out _);
        slot?.TryAttach(() => _closed.Add(name));
        return slot;
    }
}
