using System.Net;
using System.Net.Sockets;

namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// A TLS client that works on memory buffers. It collects TLS records and sends them together, as an attacker would. It verifies nothing. Not thread-safe.
/// </summary>
internal sealed class RawTlsClient : IDisposable
{
    private const int BufferBytes = 64 * 1024;

    private readonly nint _context;
    private readonly nint _session;
    private readonly nint _input;
    private readonly nint _output;
    private readonly Socket _socket;
    private readonly AttackCounts _counts;

    private RawTlsClient(Socket socket, AttackCounts counts, string? chainFile, string? keyFile)
    {
        (_socket, _counts) = (socket, counts);
        _context = OpenSsl.NewContext(OpenSsl.ClientMethod());
        if (chainFile is not null && (OpenSsl.UseChain(_context, chainFile) != 1 || OpenSsl.UseKey(_context, keyFile!, OpenSsl.Pem) != 1))
        {
            throw new InvalidOperationException($"OpenSSL cannot load {chainFile} with {keyFile}");
        }

        _session = OpenSsl.New(_context);
        _input = OpenSsl.NewBuffer(OpenSsl.MemoryMethod());
        _output = OpenSsl.NewBuffer(OpenSsl.MemoryMethod());
        OpenSsl.SetBuffers(_session, _input, _output);
        OpenSsl.SetConnecting(_session);
        _ = OpenSsl.SetProtocols(_session, "\x02h2"u8, 3);
    }

    /// <summary>Gets whether received bytes are waiting to be read.</summary>
    public bool HasInput => _socket.Poll(0, SelectMode.SelectRead);

    /// <summary>Opens a connection.</summary>
    public static async Task<RawTlsClient> ConnectAsync(
        IPEndPoint server, AttackCounts counts, string? chainFile, string? keyFile, CancellationToken stop)
    {
        Socket socket = await AttackSocket.ConnectAsync(server, counts, stop).ConfigureAwait(false);
        try
        {
            return new RawTlsClient(socket, counts, chainFile, keyFile);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Completes the client's part of the handshake. The server may still reject the client's certificate afterwards.</summary>
    /// <exception cref="IOException">The server closed the connection, or the handshake failed.</exception>
    public async Task HandshakeAsync(CancellationToken stop)
    {
        while (true)
        {
            OpenSsl.ClearErrors();
            int result = OpenSsl.Handshake(_session);
            int error = result == 1 ? 0 : OpenSsl.ErrorOf(_session, result);
            await FlushAsync(stop).ConfigureAwait(false);
            if (result == 1)
            {
                return;
            }

            if (error != OpenSsl.WantRead)
            {
                throw new IOException("the handshake failed");
            }

            await ReceiveAsync(stop).ConfigureAwait(false);
        }
    }

    /// <summary>Adds a record with data to the output.</summary>
    public void Write(ReadOnlySpan<byte> bytes) => _ = OpenSsl.Write(_session, bytes, bytes.Length);

    /// <summary>Adds a record that updates the client's key. The record does not request an update of the server's key.</summary>
    public void UpdateKey()
    {
        _ = OpenSsl.UpdateKey(_session, 0);
        _ = OpenSsl.Handshake(_session);
    }

    /// <summary>Removes and returns the collected records.</summary>
    public byte[] TakeOutput()
    {
        byte[] bytes = new byte[(int)OpenSsl.Control(_output, OpenSsl.Pending, 0, 0)];
        int length = bytes.Length == 0 ? 0 : OpenSsl.ReadBuffer(_output, bytes, bytes.Length);
        return bytes[..Math.Max(0, length)];
    }

    /// <summary>Sends the collected records.</summary>
    public async Task FlushAsync(CancellationToken stop)
    {
        ReadOnlyMemory<byte> bytes = TakeOutput();
        _counts.AddBytes(bytes.Length);
        while (bytes.Length > 0)
        {
            bytes = bytes[await _socket.SendAsync(bytes, stop).ConfigureAwait(false)..];
        }
    }

    /// <summary>Waits for input and decrypts it.</summary>
    /// <returns>The data, which may be empty.</returns>
    /// <exception cref="IOException">The server closed the connection.</exception>
    public async Task<byte[]> ReadAsync(CancellationToken stop)
    {
        await ReceiveAsync(stop).ConfigureAwait(false);
        byte[] buffer = new byte[BufferBytes];
        using var data = new MemoryStream();
        while (OpenSsl.Read(_session, buffer, buffer.Length) is > 0 and int length)
        {
            data.Write(buffer, 0, length);
        }

        OpenSsl.ClearErrors();
        return data.ToArray();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _socket.Dispose();
        // Freeing the session also frees both memory buffers.
        OpenSsl.Free(_session);
        OpenSsl.FreeContext(_context);
    }

    private async Task ReceiveAsync(CancellationToken stop)
    {
        byte[] bytes = new byte[BufferBytes];
        int length = await _socket.ReceiveAsync(bytes, stop).ConfigureAwait(false);
        if (length == 0)
        {
            throw new IOException("the server closed the connection");
        }

        _ = OpenSsl.WriteBuffer(_input, bytes, length);
    }
}
