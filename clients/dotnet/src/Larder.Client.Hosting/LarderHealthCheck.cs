using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Larder.Client;

/// <summary>
/// Reports healthy if the server responds to a ping within the client's timeout. Otherwise, or if the client cannot be created, reports the registered failure
/// status with the reason.
/// </summary>
internal sealed class LarderHealthCheck(Func<CacheClient> clientOf) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        CacheClient client;
        try
        {
            client = clientOf();
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The client could not be created, for example because of an invalid setting or a missing certificate. If this exception were thrown, the health
            // endpoint would return status 500 without the reason.
            return new HealthCheckResult(context.Registration.FailureStatus, e.Message, e);
        }
        CacheResult answer = await client.PingAsync(cancellationToken).ConfigureAwait(false);
        Dictionary<string, object> data = new()
        {
            ["inFlight"] = client.InFlight,
            ["queued"] = client.Queued,
            ["connections"] = client.Connections,
        };
        return answer is { Error: { } error }
            ? new HealthCheckResult(context.Registration.FailureStatus, error.Message, error.Exception, data)
            : HealthCheckResult.Healthy("The server responds.", data);
    }
}
