using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;

namespace Larder.Wire.Tests.Server.Guard;

public sealed class FrameScannerTests
{
    private static readonly byte[] Preface = [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8];

    [Fact]
    public void Calls_without_number_pass_however_the_bytes_are_cut() => Prop.ForAll<byte>(cut =>
    {
        FrameScanner scanner = new(new ManualTime());
        byte[] bytes = [.. Preface, .. Enumerable.Range(0, 300).SelectMany(index => (byte[])[.. Frame(1, 4, 30), .. Frame(0, 1, index), .. Frame(8, 0, 4)])];
        int step = cut + 1;
        for (int at = 0; at < bytes.Length; at += step)
        {
            if (scanner.Scan(bytes.AsSpan(at, Math.Min(step, bytes.Length - at))) is not null)
            {
                return false;
            }
        }

        return scanner.HasPreface;
    }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("\u0016\u0003\u0001")]
    [InlineData("pri * http/2.0")]
    [InlineData("\u0000")]
    public void What_does_not_begin_as_http_is_refused_at_its_first_byte(string opening) =>
        Assert.NotNull(new FrameScanner(new ManualTime()).Scan(System.Text.Encoding.Latin1.GetBytes(opening)));

    [Theory]
    [InlineData("GET / HTTP/1.1\r\n")]
    [InlineData("PRI * HTTP/1.0\r\n")]
    public void Http_1_is_left_to_the_host_and_has_no_preface(string opening)
    {
        FrameScanner scanner = new(new ManualTime());
        Assert.Null(scanner.Scan(System.Text.Encoding.ASCII.GetBytes(opening)));
        Assert.Null(scanner.Scan("Host: here\r\n\r\n"u8));
        Assert.False(scanner.HasPreface);
    }

    [Theory]
    [InlineData(3, 1_000)]
    [InlineData(4, 100)]
    [InlineData(6, 100)]
    [InlineData(9, 100)]
    [InlineData(0, 1_000)]
    [InlineData(77, 100)]
    public void A_burst_passes_and_one_frame_more_does_not_until_time_has_gone_by(byte type, int burst)
    {
        ManualTime time = new();
        FrameScanner scanner = new(time);
        Assert.Null(scanner.Scan(Preface));
        for (int index = 0; index < burst; index++)
        {
            Assert.Null(scanner.Scan(Frame(type, 0, 0)));
        }

        Assert.NotNull(scanner.Scan(Frame(type, 0, 0)));
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(scanner.Scan(Frame(type, 0, 0)));
    }

    private static byte[] Frame(byte type, byte flags, int length)
    {
        byte[] frame = new byte[9 + length];
        BinaryPrimitives.WriteInt32BigEndian(frame, length << 8);
        frame[3] = type;
        frame[4] = flags;
        frame[8] = 1;
        return frame;
    }
}
