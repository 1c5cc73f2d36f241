namespace Larder.Server.Tests.Faults;

/// <summary>Makes many calls on one connection, and reads the responses later.</summary>
internal static class UnreadResponses
{
    /// <summary>
    /// Makes the same call repeatedly with a window of 0 for the responses. The deadline is 60 s, so that the calls do not time out on a slow machine.
    /// </summary>
    public static async Task<Http2Attacker> AskAsync(RunningServer server, string path, byte[] request, int calls)
    {
        Http2Attacker reader = await Http2Attacker.OpenAsync(server.Server.Endpoint, (4, 0));
        byte[] headers = Http2Attacker.CallHeaders(path, ("grpc-timeout", "60S"));
        await reader.SendAsync([.. Enumerable.Range(0, calls).SelectMany(call => (byte[])
        [
            .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, (call * 2) + 1, headers),
            .. Http2Attacker.Frame(Http2Attacker.Data, Http2Attacker.EndStream, (call * 2) + 1, request),
        ])]);
        return reader;
    }

    /// <summary>Opens all windows and reads every response to its end.</summary>
    /// <returns>The number of data bytes in all responses.</returns>
    public static async Task<long> ReadAsync(Http2Attacker reader, int calls)
    {
        await reader.SendAsync(
        [
            .. Http2Attacker.Frame(Http2Attacker.Settings, 0, 0, [0, 4, 0x7F, 0xFF, 0xFF, 0xFF]),
            .. Http2Attacker.Frame(Http2Attacker.WindowUpdate, 0, 0, [0x7F, 0, 0, 0]),
        ]);
        return await reader.ReadUntilEndedAsync(calls);
    }
}
