using System.Buffers.Binary;
using Larder.Harness.Clocks;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

public sealed class TlsRecordGuardTests
{
    // The overhead of a TLS 1.3 record: content type and tag.
    private const int Overhead = 17;
    private const int KeyUpdate = 5;

    private readonly ManualTime _time = new();

    [Theory]
    [InlineData(TlsRecordGuard.KeyUpdateBurst, false)]
    [InlineData(TlsRecordGuard.KeyUpdateBurst + 1, true)]
    [InlineData(10 * TlsRecordGuard.KeyUpdateBurst, true)]
    public void Check_throws_above_limit_of_key_updates(int updates, bool isFlood)
    {
        TlsRecordGuard guard = Established();
        Assert.Equal(isFlood, IsFlood(guard, updates, KeyUpdate));
    }

    [Fact]
    public void Check_allows_key_updates_within_rate()
    {
        TlsRecordGuard guard = Established();
        Assert.False(IsFlood(guard, TlsRecordGuard.KeyUpdateBurst, KeyUpdate));
        for (int second = 0; second < 60; second++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            Assert.False(IsFlood(guard, TlsRecordGuard.KeyUpdatesPerSecond, KeyUpdate));
        }

        Assert.True(IsFlood(guard, 1, KeyUpdate));
    }

    [Fact]
    public void Check_counts_key_updates_mixed_with_application_data()
    {
        TlsRecordGuard guard = Established();
        Assert.ThrowsAny<IOException>(() =>
        {
            for (int index = 0; index <= TlsRecordGuard.KeyUpdateBurst; index++)
            {
                guard.Arrived(Record(KeyUpdate));
                guard.Arrived(Record(10_000));
                guard.Delivered(10_000);
                guard.Check();
            }
        });
    }

    [Theory]
    [InlineData(4)]
    [InlineData(13)]
    [InlineData(16_384)]
    public void Check_allows_any_amount_of_application_data(int recordBytes)
    {
        TlsRecordGuard guard = Established();
        for (int index = 0; index < 20_000; index++)
        {
            guard.Arrived(Record(recordBytes));
            guard.Delivered(recordBytes);
            if (index % 7 == 0)
            {
                guard.Check();
            }
        }

        guard.Check();
    }

    [Theory]
    [InlineData(true, TlsRecordGuard.SmallRecordBurst, false)]
    [InlineData(true, TlsRecordGuard.SmallRecordBurst + 1, true)]
    [InlineData(false, TlsRecordGuard.SmallRecordBurst, false)]
    [InlineData(false, TlsRecordGuard.SmallRecordBurst + 1, true)]
    [InlineData(false, 10 * TlsRecordGuard.SmallRecordBurst, true)]
    public void Check_throws_above_limit_of_empty_records(bool isTls13, int records, bool isFlood)
    {
        TlsRecordGuard guard = Established(isTls13);
        Assert.Equal(isFlood, IsFlood(guard, records, 0));
    }

    [Fact]
    public void Check_throws_on_flood_of_one_byte_records()
    {
        TlsRecordGuard guard = Established();
        Assert.ThrowsAny<IOException>(() =>
        {
            for (int index = 0; index <= TlsRecordGuard.SmallRecordBurst; index++)
            {
                guard.Arrived(Record(1));
                guard.Delivered(1);
                guard.Check();
            }
        });
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(1_000)]
    public void Arrived_counts_records_split_at_any_byte(int pieceBytes)
    {
        TlsRecordGuard guard = Established();
        byte[] bytes = [.. Enumerable.Range(0, TlsRecordGuard.KeyUpdateBurst + 1).SelectMany(static _ => Record(KeyUpdate))];
        for (int at = 0; at < bytes.Length; at += pieceBytes)
        {
            guard.Arrived(bytes.AsSpan(at, Math.Min(pieceBytes, bytes.Length - at)));
        }

        Assert.ThrowsAny<IOException>(guard.Check);
    }

    [Theory]
    [InlineData(TlsRecordGuard.MaxClientFlightBytes, false)]
    [InlineData(TlsRecordGuard.MaxClientFlightBytes + 1, true)]
    [InlineData(10 * TlsRecordGuard.MaxClientFlightBytes, true)]
    public void Arrived_throws_when_client_handshake_is_too_large(int bytes, bool isRefused)
    {
        TlsRecordGuard guard = new(isServer: true, _time);
        guard.Arrived(new byte[TlsRecordGuard.MaxClientFlightBytes]);
        guard.Sent();
        Assert.Equal(isRefused, Xunit.Record.Exception(() => guard.Arrived(new byte[bytes])) is TlsFloodException);
        // The client does not limit the size of a server's certificates, because the client chooses which server it trusts.
        new TlsRecordGuard(isServer: false, _time).Arrived(new byte[bytes]);
    }

    private static byte[] Record(int content)
    {
        byte[] record = new byte[5 + content + Overhead];
        record[0] = 23;
        BinaryPrimitives.WriteUInt16BigEndian(record.AsSpan(3), (ushort)(content + Overhead));
        return record;
    }

    private static bool IsFlood(TlsRecordGuard guard, int records, int content)
    {
        for (int index = 0; index < records; index++)
        {
            guard.Arrived(Record(content));
        }

        return Xunit.Record.Exception(guard.Check) is TlsFloodException;
    }

    private TlsRecordGuard Established(bool isTls13 = true)
    {
        TlsRecordGuard guard = new(isServer: true, _time);
        guard.Established(isTls13);
        return guard;
    }
}
