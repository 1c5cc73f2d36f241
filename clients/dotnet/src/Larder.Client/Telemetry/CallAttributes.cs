using System.Diagnostics;

namespace Larder.Client;

/// <summary>
/// Creates the attributes of a call's span and of the metric <c>db.client.operation.duration</c>. Their names are OpenTelemetry's names for databases, plus
/// <c>cache.attempts</c>.
/// </summary>
/// <param name="endpoint">The address of the server, or of the first gateway if there are several gateways.</param>
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

    /// <summary>Returns the attributes at the start of a call.</summary>
    public TagList AtStart(string operation, string cache, int batchSize)
    {
        TagList attributes = Common(operation, cache);
        if (batchSize > 1)
        {
            attributes.Add(BatchSize, batchSize);
        }

        return attributes;
    }

    /// <summary>
    /// Returns the attributes at the end of a call. They do not contain the batch size, because it has too many different values for a metric.
    /// </summary>
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
