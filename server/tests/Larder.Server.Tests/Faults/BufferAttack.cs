using System.Buffers.Binary;
using System.Globalization;
using System.Text.RegularExpressions;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>Attacks that occupy a server's buffers, and calls that need the remaining buffers.</summary>
internal static class BufferAttack
{
    private const int CallsOfConnection = 100;
    private const int MaxFrameBytes = 16_384;

    /// <summary>Opens a connection with a hundred calls. The client sends the whole request of each call except the last byte.</summary>
    public static async Task<Http2Attacker> HoldAsync(Uri endpoint, byte[] headers, int requestBytes)
    {
        Http2Attacker attacker = await Http2Attacker.OpenAsync(endpoint);
        byte[] unfinished = new byte[5 + requestBytes - 1];
        BinaryPrimitives.WriteInt32BigEndian(unfinished.AsSpan(1), requestBytes);
        await attacker.SendAsync([.. Enumerable.Range(0, CallsOfConnection).SelectMany(call => (byte[])
        [
            .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, (call * 2) + 1, headers),
            .. unfinished.Chunk(MaxFrameBytes).SelectMany(part => Http2Attacker.Frame(Http2Attacker.Data, 0, (call * 2) + 1, part)),
        ])]);
        return attacker;
    }

    /// <summary>Stores a value of <paramref name="bytes"/> bytes with the token in <paramref name="headers"/>.</summary>
    public static async Task SetAsync(RpcChannel channel, RpcHeaders headers, int bytes) => await channel.UnaryAsync(
        FaultCalls.SetMethod,
        new SetRequest { Key = CallHarness.Bytes("large"), Value = ByteString.CopyFrom(new byte[bytes]), TtlMs = 60_000 },
        headers,
        RunningServer.Patience,
        CancellationToken.None);

    /// <summary>Returns the number of buffer bytes that are in use, as reported by the console's metrics.</summary>
    public static async Task<long> UsedBytesAsync(RunningServer server, string token)
    {
        using HttpClient client = new();
        client.DefaultRequestHeaders.Authorization = new("Bearer", token);
        string text = await client.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/metrics"));
        return long.Parse(Regex.Match(text, @"^larder_buffer_used_bytes (\S+)$", RegexOptions.Multiline).Groups[1].Value, CultureInfo.InvariantCulture);
    }
}
