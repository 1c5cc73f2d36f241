using Microsoft.Extensions.Hosting;

namespace Larder.Server;

/// <summary>Leaves signals alone: <see cref="ServeProcess"/> handles them, once, for both hosts of a server.</summary>
internal sealed class NoHostLifetime : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
