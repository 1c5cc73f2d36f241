using Larder.Server;
using Larder.Server.Security;

if (args is ["token", .. string[] rest])
{
    return await new TokenCommand(Console.Out, Console.Error, TimeProvider.System).RunAsync(rest).ConfigureAwait(false);
}

return await new ServeCommand().RunAsync(args, ServeProcess.RunAsync).ConfigureAwait(false);
