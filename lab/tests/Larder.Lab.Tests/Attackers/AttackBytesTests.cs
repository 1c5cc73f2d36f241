using System.Buffers.Binary;
using System.Numerics;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Larder.Harness.Frames;
using Larder.Lab.Peers.Attacks;

namespace Larder.Lab.Tests.Attackers;

/// <summary>Checks that the bytes of each attack match its description.</summary>
public sealed class AttackBytesTests
{
    public static TheoryData<string, int, int, string> Pipelined => new()
    {
        { "union-store", 51, 8, "union" },
        { "set-if-hash", 17, 1_000, "hashed" },
        { "list-remove", 40, 300, "list" },
        { "set-sample", 26, 10_000, "set" },
    };

    [Theory]
    [MemberData(nameof(Pipelined))]
    public void Pipelined_attack_message_repeats_one_operation(string name, int field, int operations, string key)
    {
        var attack = (PipelinedAttack)AttackCatalog.Find(name)!;
        IReadOnlyList<(int Field, ulong Number, ReadOnlyMemory<byte> Bytes)> batch = ProtoBytes.Read(Unframed(attack.Message));
        Assert.Equal((operations, operations), (batch.Count, attack.Operations));
        Assert.All(batch, operation =>
        {
            Assert.Equal(1, operation.Field);
            Assert.Equal([1, field], ProtoBytes.Read(operation.Bytes).Select(part => part.Field));
        });
        Assert.Equal(key, Text(ProtoBytes.Read(ProtoBytes.Read(batch[0].Bytes)[1].Bytes)[0].Bytes));
    }

    [Fact]
    public void UnionStore_attack_merges_three_sources_in_message_under_a_kilobyte()
    {
        var attack = new UnionStoreAttack();
        ReadOnlyMemory<byte> request = ProtoBytes.Read(ProtoBytes.Read(attack.Operation)[0].Bytes)[1].Bytes;
        Assert.Equal([1, 2, 2, 2, 4], ProtoBytes.Read(request).Select(part => part.Field));
        Assert.InRange(attack.Message.Length, 1, 1_000);
    }

    [Fact]
    public void SetSample_attack_needs_only_read_role()
    {
        Assert.True(new SetSampleAttack().ReadsOnly);
        Assert.False(new UnionStoreAttack().ReadsOnly);
    }

    [Fact]
    public void NearRenewal_attack_fills_message_with_renewals()
    {
        IReadOnlyList<(int Field, ulong Number, ReadOnlyMemory<byte> Bytes)> batch = ProtoBytes.Read(Unframed(new NearRenewalAttack().Message));
        Assert.InRange(batch.Count, 10_000, 20_000);
        Assert.All(batch, operation => Assert.Equal([1, 81], ProtoBytes.Read(operation.Bytes).Select(part => part.Field)));
    }

    [Fact]
    public void UnknownFields_attack_fills_request_with_distinct_fields()
    {
        var attack = new UnknownFieldsAttack();
        byte[] request = attack.Request();
        Assert.InRange(request.Length, LargeRequestAttack.RequestBytes - 10, LargeRequestAttack.RequestBytes);
        int[] fields = [.. ProtoBytes.Read(request).Select(part => part.Field)];
        Assert.Equal(fields.Length, fields.Distinct().Count());
        // All fields must be unknown. ScanKeysRequest defines the fields 1 to 4.
        Assert.InRange(fields.Min(), 5, int.MaxValue);
    }

    [Fact]
    public void DisposableToken_attack_contains_millions_of_empty_permissions()
    {
        byte[] request = new DisposableTokenAttack().Request();
        Assert.InRange(request.Length, LargeRequestAttack.RequestBytes - 20, LargeRequestAttack.RequestBytes);
        (int field, _, ReadOnlyMemory<byte> permissions) = ProtoBytes.Read(request).Single();
        (int kind, _, ReadOnlyMemory<byte> list) = ProtoBytes.Read(permissions).Single();
        Assert.Equal((3, 2), (field, kind));
        Assert.InRange(ProtoBytes.Read(list).Count(entry => entry is { Field: 1, Bytes.Length: 0 }), 5_000_000, int.MaxValue);
    }

    [Fact]
    public void UnfinishedBodies_attack_announces_more_bytes_than_it_sends()
    {
        byte[] beginning = UnfinishedBodiesAttack.Beginning();
        Assert.Equal((0, UnfinishedBodiesAttack.AnnouncedBytes), (beginning[0], BinaryPrimitives.ReadInt32BigEndian(beginning.AsSpan(1))));
        Assert.InRange(beginning.Length, 1, UnfinishedBodiesAttack.AnnouncedBytes / 10);
        // 0x12 is the tag of field 2, a length-delimited field. The field extends to the end of the message.
        Assert.Equal(0x12, beginning[5]);
    }

    [Theory]
    [InlineData("leases", 1)]
    [InlineData("tags", 128)]
    [InlineData("topics", 1)]
    [InlineData("audit-noise", 0)]
    public void Flood_attack_varies_request_or_path_each_time(string name, int keys)
    {
        var attack = (UnaryFloodAttack)AttackCatalog.Find(name)!;
        string Whole(int number) => attack.Path(number) + Convert.ToHexString(attack.Request(number));
        Assert.Equal(1_000, Enumerable.Range(0, 1_000).Select(Whole).Distinct().Count());
        Assert.Equal(keys, ProtoBytes.Read(attack.Request(7)).Count(part => part.Field == 1));
    }

    [Fact]
    public void NearClear_attack_repeats_one_request()
    {
        var attack = new NearClearAttack();
        Assert.Equal(attack.Request(0), attack.Request(1));
    }

    [Fact]
    public void TopicFlood_attack_uses_1000_byte_names_and_empty_messages()
    {
        IReadOnlyList<(int Field, ulong Number, ReadOnlyMemory<byte> Bytes)> request = ProtoBytes.Read(new TopicFloodAttack().Request(1));
        Assert.Equal((1_000, 0), (request[1].Bytes.Length, ProtoBytes.Read(request[2].Bytes).Single().Bytes.Length));
    }

    [Fact]
    public void NearStreamFlood_attack_opens_stream_with_one_operation() =>
        Assert.Equal([1, 80], ProtoBytes.Read(ProtoBytes.Read(Unframed(NearStreamFloodAttack.Open)).Single().Bytes).Select(part => part.Field));

    [Fact]
    public void UnreadLease_attack_requests_large_value_with_lease()
    {
        IReadOnlyList<(int Field, ulong Number, ReadOnlyMemory<byte> Bytes)> request = ProtoBytes.Read(UnreadLeaseAttack.Request);
        Assert.Equal(("unread", 1_000ul), (Text(request[0].Bytes), request[1].Number));
    }

    [Theory]
    [InlineData(AttackConnection.FirstWindow, 1)]
    [InlineData(AttackConnection.OpenWindow, 2)]
    public void Opening_returns_preface_and_settings_for_the_given_window(int window, int frames)
    {
        byte[] opening = AttackConnection.Opening(window);
        Assert.StartsWith("PRI * HTTP/2.0", Encoding.ASCII.GetString(opening), StringComparison.Ordinal);
        IReadOnlyList<Http2Frame> sent = Http2Frame.Read(opening.AsSpan(24));
        Assert.Equal(frames, sent.Count);
        Assert.Equal((Http2Frame.Settings, window), (sent[0].Type, BinaryPrimitives.ReadInt32BigEndian(sent[0].Payload.AsSpan(2))));
    }

    [Theory]
    [InlineData(ExpensiveChain.LongChain, 100_000)] // The largest handshake message that a server accepts.
    [InlineData(ExpensiveChain.ShortChain, 9_000)] // Together with the rest of the handshake, as much as a server accepts from a client.
    public void Certificate_chain_has_costly_keys_and_consistent_issuers(int certificates, int mostBytes)
    {
        string folder = Directory.CreateTempSubdirectory("larder-chain-test-").FullName;
        try
        {
            (string chainFile, string keyFile) = (Path.Combine(folder, "chain.pem"), Path.Combine(folder, "chain.key"));
            ExpensiveChain.Write(chainFile, keyFile, certificates);
            var chain = new X509Certificate2Collection();
            chain.ImportFromPemFile(chainFile);
            Assert.Equal(certificates, chain.Count);
            Assert.All(chain.Zip(chain.Skip(1)), pair => Assert.Equal(pair.Second.Subject, pair.First.Issuer));
            using RSA? key = chain[0].GetRSAPublicKey();
            Assert.InRange(new BigInteger(key!.ExportParameters(false).Exponent!, isUnsigned: true, isBigEndian: true).GetBitLength(), 3_000, 3_072);
            Assert.InRange(chain.Sum(certificate => certificate.RawData.Length), mostBytes / 2, mostBytes);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void Catalog_has_unique_names_and_ends_with_the_mix_attack()
    {
        Assert.Equal(AttackCatalog.All.Count, AttackCatalog.All.Select(attack => attack.Name).Distinct().Count());
        Assert.Equal("mix", AttackCatalog.All[^1].Name);
        Assert.Null(AttackCatalog.Find("other"));
    }

    private static ReadOnlyMemory<byte> Unframed(ReadOnlyMemory<byte> framed)
    {
        Assert.Equal((0, framed.Length - 5), (framed.Span[0], BinaryPrimitives.ReadInt32BigEndian(framed.Span[1..])));
        return framed[5..];
    }

    private static string Text(ReadOnlyMemory<byte> bytes) => Encoding.ASCII.GetString(bytes.Span);
}
