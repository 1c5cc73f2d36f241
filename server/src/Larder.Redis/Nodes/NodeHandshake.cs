using System.Net.Sockets;
using System.Text;
using Larder.Wire;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>
/// The first commands on a connection. HELLO selects RESP3 and logs in. The commands after it load the scripts or, on a tracked connection, enable tracking.
/// </summary>
internal static class NodeHandshake
{
    /// <summary>
    /// Sends HELLO and either loads the scripts or enables tracking. The replies are read into <paramref name="input"/>, which also receives all later replies.
    /// </summary>
    /// <exception cref="RefusedException">The node rejects the user name or password.</exception>
    /// <exception cref="IOException">
    /// The node closed the connection, or rejected HELLO for another reason, for example because it has too many connections.
    /// </exception>
    /// <exception cref="InvalidDataException">The node does not speak RESP3.</exception>
    /// <exception cref="TrackingUnavailableException">The node does not support tracking.</exception>
    public static async Task<HelloReply> RunAsync(IByteTransport transport, ReplyInput input, RedisOptions options, bool isTracked)
    {
        IReadOnlyList<RedisScript> scripts = isTracked ? [] : options.Scripts;
        using PooledBuffer request = new(1024);
        WriteHello(request, options);
        foreach (RedisScript script in scripts)
        {
            RespWriter.WriteArray(request, 3);
            RespWriter.WriteBytes(request, "SCRIPT"u8);
            RespWriter.WriteBytes(request, "LOAD"u8);
            RespWriter.WriteBytes(request, script.Text);
        }

        if (isTracked)
        {
            RespWriter.WriteRaw(request, "*3\r\n$6\r\nCLIENT\r\n$8\r\nTRACKING\r\n$2\r\nON\r\n"u8);
        }

        try
        {
            await transport.SendAsync(request.WrittenMemory).ConfigureAwait(false);
        }
        finally
        {
            // Clear the buffer, because it contained the password and may be reused for other data.
            request.WrittenSpan.Clear();
        }

        HelloReply hello = ReadHello(input, await FirstAsync(transport, input, options).ConfigureAwait(false));
        for (int script = 0; script < scripts.Count; script++)
        {
            // Ignore errors. If the node rejects a script, for example because it is loading its data, the script's source is sent with the first call.
            await NextAsync(transport, input).ConfigureAwait(false);
        }

        if (isTracked)
        {
            CheckTracked(input.At(await NextAsync(transport, input).ConfigureAwait(false)));
        }

        return hello;
    }

    private static void CheckTracked(ReadOnlySpan<byte> bytes)
    {
        RespReader reply = new(bytes);
        if (reply.Kind == RespKind.Error)
        {
            throw new TrackingUnavailableException(Encoding.UTF8.GetString(reply.Bytes));
        }
    }

    private static void WriteHello(PooledBuffer request, RedisOptions options)
    {
        RespWriter.WriteArray(request, options.Password is null ? 4 : 7);
        RespWriter.WriteBytes(request, "HELLO"u8);
        RespWriter.WriteBytes(request, "3"u8);
        if (options.Password is { } password)
        {
            RespWriter.WriteBytes(request, "AUTH"u8);
            RespWriter.WriteBytes(request, Encoding.UTF8.GetBytes(options.User ?? "default"));
            RespWriter.WriteBytes(request, Encoding.UTF8.GetBytes(password));
        }

        RespWriter.WriteBytes(request, "SETNAME"u8);
        RespWriter.WriteBytes(request, Encoding.UTF8.GetBytes(options.ClientName));
    }

    // With TLS 1.3, a node that requires a client certificate ends the connection only after the handshake, so the error does not state the reason.
    private static async ValueTask<Range> FirstAsync(IByteTransport transport, ReplyInput input, RedisOptions options)
    {
        try
        {
            return await NextAsync(transport, input).ConfigureAwait(false);
        }
        catch (Exception error) when (options.Tls is { ClientCertificateContext: null } && error is (IOException or SocketException))
        {
            throw new IOException($"{error.Message.TrimEnd('.')}. Check whether the node requires a client certificate.", error);
        }
    }

    private static async ValueTask<Range> NextAsync(IByteTransport transport, ReplyInput input)
    {
        while (true)
        {
            while (input.TryTake(out Range reply))
            {
                if (!input.IsPush)
                {
                    return reply;
                }
            }

            int read = await transport.ReceiveAsync(input.Room()).ConfigureAwait(false);
            input.Received(read > 0 ? read : throw new IOException(
                "The node closed the connection during HELLO. Check whether it requires TLS (rediss://) or does not use it (redis://)."));
        }
    }

    private static HelloReply ReadHello(ReplyInput input, Range bytes)
    {
        RespReader reply = new(input.At(bytes));
        if (reply.Kind != RespKind.Error)
        {
            return HelloReply.Read(ref reply);
        }

        string text = Encoding.UTF8.GetString(reply.Bytes);
        throw EngineError.Of(reply.Bytes).Kind == RedisFailureKind.Refused
            ? new RefusedException($"The node rejected the login ({text}). Set the user and password in the store's URL.")
            : new IOException($"HELLO failed (Redis 6 or newer is required): {text}");
    }
}
