namespace Larder.Redis;

/// <summary>The connections that a thread has put commands on and not let travel yet.</summary>
internal sealed class FlushList
{
    // More nodes than a thread sends to at once in most clusters; past it those before travel earlier.
    private const int Most = 64;

    [ThreadStatic]
    private static FlushList? _current;

    private readonly NodeConnection?[] _connections = new NodeConnection?[Most];
    private int _count;

    /// <summary>This thread's.</summary>
    public static FlushList Current => _current ??= new FlushList();

    /// <summary>Notes a connection; once is enough.</summary>
    public void Add(NodeConnection connection)
    {
        for (int index = _count - 1; index >= 0; index--)
        {
            if (_connections[index] == connection)
            {
                return;
            }
        }

        if (_count == Most)
        {
            Flush();
        }

        _connections[_count++] = connection;
    }

    /// <summary>Lets travel what is on them.</summary>
    public void Flush()
    {
        // What a flush leads to may add to the list.
        while (_count > 0)
        {
            NodeConnection connection = _connections[--_count]!;
            _connections[_count] = null;
            connection.Flush();
        }
    }
}
