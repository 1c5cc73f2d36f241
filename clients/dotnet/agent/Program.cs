using Larder.Agent;

return await AgentHost.RunAsync("dotnet", LarderAgent.OpenAsync, AgentConfiguration.TellAsync);
