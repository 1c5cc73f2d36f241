using System.Text;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Security;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

public sealed class CacheRightsTests
{
    private static readonly CallPolicy SetBatch = CallPolicy.Of("/cache_client.Scs/SetBatch")!;

    [Fact]
    public void Grants_for_one_cache_and_all_caches_are_combined()
    {
        CacheRights everywhere = new([Grant(Rights.Read, "a")]);
        CacheRights rights = new([Grant(Rights.Write, "a"), Grant(Rights.Write, "b")], everywhere);
        Assert.True(rights.Allows(Rights.ReadWrite, "a1"u8));
        Assert.True(rights.Allows(Rights.Write, "b1"u8));
        Assert.False(rights.Allows(Rights.Read, "b1"u8));
        Assert.False(rights.Allows(Rights.Admin, "a1"u8));
        Assert.Equal(Rights.None, rights.Whole);
    }

    [Fact]
    public void Batch_with_one_forbidden_key_is_rejected()
    {
        CacheRights rights = new([Grant(Rights.ReadWrite, "a:")]);
        SetBatchRequest inside = new() { Items = { Item("a:1"), Item("a:2") } };
        Assert.Null(rights.Refuse(SetBatch, inside.ToByteArray(), "c"));
        inside.Items.Add(Item("b:1"));
        CallError refusal = rights.Refuse(SetBatch, inside.ToByteArray(), "c")!;
        Assert.Equal(StatusCode.PermissionDenied, refusal.Code);
        Assert.Contains("'write' in cache 'c'", refusal.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("b:1", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_occurrence_of_a_repeated_key_field_is_checked()
    {
        CacheRights rights = new([Grant(Rights.Read, "a:")]);
        CallPolicy get = CallPolicy.Of("/cache_client.Scs/Get")!;
        byte[] own = new GetRequest { Key = CallHarness.Bytes("a:1") }.ToByteArray();
        byte[] other = new GetRequest { Key = CallHarness.Bytes("b:1") }.ToByteArray();
        Assert.Null(rights.Refuse(get, own, "c"));
        Assert.NotNull(rights.Refuse(get, (byte[])[.. own, .. other], "c"));
        Assert.NotNull(rights.Refuse(get, (byte[])[.. other, .. own], "c"));
    }

    [Theory]
    [InlineData(new byte[] { 0x0A, 0x05, (byte)'a' })]
    [InlineData(new byte[] { 0x0A })]
    [InlineData(new byte[] { 0x07 })]
    public void Malformed_request_is_rejected_for_every_RPC(byte[] request)
    {
        CacheRights rights = new([Grant(Rights.ReadWrite, "a")]);
        Assert.All(CallPolicies.All.Where(static each => each.Keys.Length > 0), each => Assert.NotNull(rights.Refuse(each, request, "c")));
    }

    [Fact]
    public void Batch_with_a_malformed_item_is_rejected()
    {
        CacheRights rights = new([Grant(Rights.ReadWrite, "a")]);
        Assert.NotNull(rights.Refuse(SetBatch, (byte[])[0x0A, 0x02, 0x0A, 0x05], "c"));
    }

    [Theory]
    [InlineData("", "cart:")]
    [InlineData("ca", "cart:")]
    [InlineData("cart:", "cart:")]
    [InlineData("cart:b", "cart:b")]
    [InlineData("b", null)]
    [InlineData("cart", "cart:")]
    public void Scan_prefix_is_narrowed_to_readable_keys(string asked, string? looked)
    {
        CacheRights rights = new([Grant(Rights.Read, "cart:"), Grant(Rights.Write, "b")]);
        Assert.Equal(looked, Narrowed(rights, asked));
    }

    [Fact]
    public void Scan_over_several_grants_uses_their_common_prefix()
    {
        CacheRights rights = new([Grant(Rights.Read, "cart:a"), Grant(Rights.Read, "cart:b")], new CacheRights([Grant(Rights.Read, "card")]));
        Assert.Equal("car", Narrowed(rights, ""));
        Assert.Equal("cart:", Narrowed(rights, "cart"));
    }

    [Fact]
    public void Every_key_field_of_a_request_is_in_its_policy()
    {
        foreach (CallPolicy policy in CallPolicies.All.Where(static each => each.IsScoped))
        {
            IEnumerable<KeyField> named = RequestOf.Descriptor(policy).Fields.InFieldNumberOrder().SelectMany(RequestOf.KeysIn);
            Assert.Equal(named, policy.Keys);
        }
    }

    private static string? Narrowed(CacheRights rights, string asked) =>
        rights.TryNarrow(Encoding.UTF8.GetBytes(asked), out ReadOnlyMemory<byte> prefix) ? Encoding.UTF8.GetString(prefix.Span) : null;

    private static Grant Grant(Rights rights, string prefix) => new("c", rights, Encoding.UTF8.GetBytes(prefix));

    private static SetRequest Item(string key) => new() { Key = CallHarness.Bytes(key), Value = CallHarness.Bytes("v"), TtlMs = 1000 };
}
