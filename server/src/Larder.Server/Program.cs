using Larder.Server;
using Microsoft.Extensions.Logging;

return await new ServeCommand().Build(ServeProcess.RunAsync).Parse(args).InvokeAsync(new() { ProcessTerminationTimeout = null }).ConfigureAwait(false);
