using System.Diagnostics;

namespace Larder.Client;

/// <summary>What a call's span and its <c>db.client.operation.duration</c> say of it: OpenTelemetry's names for databases, and <c>cache.attempts</c>.</summary>
/// <param name="endpoint">The client's server; of several fronts the first.</param>
internal sealed class CallAttributes(Uri endpoint)
{
    public const string System = "db.system.name";
    public const string Operation = "db.operation.name";
    public const string Cache = "db.namespace";
    public const string BatchSize = "db.operation.batch.size";
    public const string Address = "server.address";
    public const string Port = "server.port";
    public const string ErrorType = "error.type";
    public const string Attempts = "cache.attempts";

    private readonly string _host = endpoint.IdnHost;
    private readonly object _port = endpoint.Port;

    /// <summary>Of a call that begins.</summary>
    public TagList AtStart(string operation, string cache, int batchSize)
    {
        TagList attributes = Common(operation, cache);
        if (batchSize > 1)
        {
            attributes.Add(BatchSize, batchSize);
        }

        return attributes;
    }

    /// <summary>Of a call that has ended: all but the size of a batch, of which there are too many.</summary>
    public TagList AtEnd(string operation, string cache, int sends, CacheErrorCode? error)
    {
        TagList attributes = Common(operation, cache);
        attributes.Add(Attempts, sends);
        if (error is { } code)
        {
            attributes.Add(ErrorType, code.ToString());
        }

        return attributes;
    }

    private TagList Common(string operation, string cache)
    {
        TagList attributes = new()
        {
            { System, "larder" },
            { Operation, operation },
            { Address, _host },
            { Port, _port },
        };
        if (cache.Length > 0)
        {
            attributes.Add(Cache, cache);
        }

        return attributes;
    }
}
