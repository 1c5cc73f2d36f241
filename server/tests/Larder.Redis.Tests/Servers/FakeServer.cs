using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Larder.Redis.Tests;

/// <summary>A server in this process that sends the reply that a test chooses for each command. The reply <c>close</c> closes the connection.</summary>
internal sealed class FakeServer : IAsyncDisposable
{
    private const string Hello = "%3\r\n+version\r\n+7.0.0\r\n+mode\r\n+standalone\r\n+role\r\n+master\r\n";

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Func<string[], string> _answer;
    private readonly List<Task> _tasks = [];
    private readonly List<TcpClient> _clients = [];

    public FakeServer(Func<string[], string> answer)
    {
        _answer = answer;
        _listener.Start();
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        _tasks.Add(AcceptAsync());
    }

    public int Port { get; }

    public string Url => $"redis://127.0.0.1:{Port}";

    /// <summary>Gets the number of connections accepted so far.</summary>
    public int Connections
    {
        get
        {
            lock (_clients)
            {
                return _clients.Count;
            }
        }
    }

    /// <summary>Returns a well-formed reply to a command. The fake server is not in a cluster. The value of each key is the key itself.</summary>
    public static string Honest(string[] words) => words[0] switch
    {
        "HELLO" => Hello,
        "CLUSTER" => "-ERR This instance has cluster support disabled\r\n",
        "GET" => $"${Encoding.Latin1.GetByteCount(words[1])}\r\n{words[1]}\r\n",
        _ => "-ERR unknown command\r\n",
    };

    public async ValueTask DisposeAsync()
    {
        _listener.Dispose();
        Task[] tasks;
        lock (_clients)
        {
            _clients.ForEach(static client => client.Dispose());
            tasks = [.. _tasks];
        }

        await Task.WhenAll(tasks);
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                TcpClient client = await _listener.AcceptTcpClientAsync();
                lock (_clients)
                {
                    _clients.Add(client);
                    _tasks.Add(ServeAsync(client));
                }
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The test has ended, so the listener was stopped.
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        try
        {
            using Stream stream = client.GetStream();
            using StreamReader reader = new(stream, Encoding.Latin1);
            while (await reader.ReadLineAsync() is { } head)
            {
                string[] words = new string[int.Parse(head.AsSpan(1))];
                for (int index = 0; index < words.Length; index++)
                {
                    char[] word = new char[int.Parse((await reader.ReadLineAsync()).AsSpan(1))];
                    await reader.ReadBlockAsync(word);
                    await reader.ReadLineAsync();
                    words[index] = new string(word);
                }

                string answer = _answer(words);
                if (answer == "close")
                {
                    return;
                }

                await stream.WriteAsync(Encoding.Latin1.GetBytes(answer));
            }
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException)
        {
            // The client has disconnected.
        }
    }
}
